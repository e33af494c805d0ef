// Start and end of a test program as a user-mode program of Linux: qemu-user runs the same file.
#include "start.h"

int main(void);

static long call(long number, long a, long b, long c) {
#if defined(__arm__)
	register long r7 __asm__("r7") = number;
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;
	__asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
	return r0;
#elif defined(__x86_64__)
	long answer;
	__asm__ volatile("syscall" : "=a"(answer) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
	return answer;
#else
	register long a7 __asm__("a7") = number;
	register long a0 __asm__("a0") = a;
	register long a1 __asm__("a1") = b;
	register long a2 __asm__("a2") = c;
	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
	return a0;
#endif
}

#if defined(__arm__)
enum { WRITE = 4, EXIT = 1 };
#elif defined(__x86_64__)
enum { WRITE = 1, EXIT = 60 };
#else
enum { WRITE = 64, EXIT = 93 };
#endif

__attribute__((used)) void start(void) {
	call(EXIT, main(), 0, 0);
	for (;;) {
	}
}

#if defined(__arm__)
__asm__(".global _start\n.thumb_func\n.type _start, %function\n_start:\n bl start\n");
#elif defined(__x86_64__)
__asm__(".global _start\n_start:\n call start\n");
#else
__asm__(".global _start\n_start:\n.option push\n.option norelax\n la gp, __global_pointer$\n.option pop\n call start\n");
#endif

void put(const char *text) {
	long n = 0;
	while (text[n] != 0) {
		n++;
	}
	call(WRITE, 1, (long)text, n);
}

void put_hex(const char *name, u32 value) {
	char line[12];
	for (int i = 0; i < 8; i++) {
		line[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
	}
	line[8] = '\n';
	line[9] = 0;
	put(name);
	put(" ");
	put(line);
}

__attribute__((optimize("no-tree-loop-distribute-patterns")))
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {
	for (__SIZE_TYPE__ i = 0; i < n; i++) {
		((volatile u8 *)to)[i] = ((const u8 *)from)[i];
	}
	return to;
}

__attribute__((optimize("no-tree-loop-distribute-patterns")))
void *memset(void *to, int c, __SIZE_TYPE__ n) {
	for (__SIZE_TYPE__ i = 0; i < n; i++) {
		((volatile u8 *)to)[i] = c;
	}
	return to;
}
