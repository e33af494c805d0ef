/* A recursion, a loop and an inlined function. Compiled by elf_test.go. */
typedef unsigned int u32;

static inline __attribute__((always_inline)) u32 mix(u32 x)
{
	x ^= x << 7;
	x *= 3;
	return x;
}

static inline __attribute__((always_inline)) u32 both_halves(u32 x)
{
	return mix(x) + mix(x >> 16);
}

__attribute__((noinline)) u32 fib(u32 n)
{
	if (n < 2)
		return n;
	return fib(n - 1) + fib(n - 2);
}

__attribute__((noinline)) u32 work(const u32 *p, u32 n)
{
	u32 sum = 0;
	for (u32 i = 0; i < n; i++)
		sum += both_halves(p[i]);
	return sum;
}

u32 main_call(const u32 *p, u32 n)
{
	u32 a = work(p, n);
	return a + fib(n);
}
