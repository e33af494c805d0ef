// Deep and wide recursion: Ackermann, Hanoi, Fibonacci, and two functions that call each other.
#include "start.h"

__attribute__((noinline)) static u32 ackermann(u32 m, u32 n) {
	if (m == 0) return n + 1;
	if (n == 0) return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static u32 moves;
__attribute__((noinline)) static void hanoi(int n, int from, int to, int by) {
	if (n == 0) return;
	hanoi(n - 1, from, by, to);
	moves = moves * 3 + (u32)(from * 4 + to);
	hanoi(n - 1, by, to, from);
}

__attribute__((noinline)) static u32 fib(u32 n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static int odd(u32 n);
__attribute__((noinline)) static int even(u32 n) { return n == 0 ? 1 : odd(n - 1); }
__attribute__((noinline)) static int odd(u32 n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
	put_hex("ackermann", ackermann(2, 60));
	hanoi(8, 0, 2, 1);
	put_hex("hanoi", moves);
	put_hex("fib", fib(14));
	put_hex("even", (u32)even(1001) * 2 + (u32)odd(1001));
	return (int)ackermann(1, 20);
}
