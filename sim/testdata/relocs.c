// What an object file of a cipher holds: a table, a variable, a constant string of calls, a jump
// out of reach of a short branch, a table of functions. Compiled by elf_test.go.
typedef unsigned int u32;

static const u32 table[4] = {11, 22, 33, 44};
u32 calls;
u32 step = 1;

#ifdef OUTSIDE
extern u32 outside;
u32 uses(void) { return outside; }
#endif

__attribute__((noinline)) static void count(void)
{
	calls += step;
}

__attribute__((noinline)) u32 lookup(u32 i)
{
	count();
	return table[i & 3] + calls;
}

__attribute__((noinline)) u32 twice(u32 x) { return x + x; }
__attribute__((noinline)) u32 thrice(u32 x) { return x + x + x; }

u32 (*const functions[2])(u32) = {thrice, twice};

u32 indirect(u32 i, u32 x) { return functions[i & 1](x); }
