/* Input of TestParseGCC and, with RUN, TestProgramQEMU: code that makes a C compiler use many
   instructions. */
#include <stdint.h>

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }

void chacha_block(uint32_t out[16], const uint32_t in[16])
{
	uint32_t x[16];
	int i;
	for (i = 0; i < 16; i++)
		x[i] = in[i];
	for (i = 0; i < 10; i++) {
#define Q(a, b, c, d) \
	x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 16), x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 12), \
	x[a] += x[b], x[d] = rotl(x[d] ^ x[a], 8), x[c] += x[d], x[b] = rotl(x[b] ^ x[c], 7)
		Q(0, 4, 8, 12); Q(1, 5, 9, 13); Q(2, 6, 10, 14); Q(3, 7, 11, 15);
		Q(0, 5, 10, 15); Q(1, 6, 11, 12); Q(2, 7, 8, 13); Q(3, 4, 9, 14);
	}
	for (i = 0; i < 16; i++)
		out[i] = x[i] + in[i];
}

int compare(const uint8_t *a, const int8_t *b, int n)
{
	int sum = 0;
	while (n-- > 0) {
		if (*a > *b)
			sum += *a;
		else if (*a < -*b)
			sum -= *b * 3;
		a++, b++;
	}
	return sum < 0 ? -sum : sum > 1000 ? 1000 : sum;
}

uint64_t mix(uint64_t a, uint32_t b, int16_t c, uint16_t *d)
{
	a = a * b + ((uint64_t)b << 7);
	d[3] = (uint16_t)(a >> 20);
	d[100] = (uint16_t)c;
	if (c < 0)
		a ^= 0x123456789abcdef0ull;
	return a / 2 + __builtin_bswap32(b) + __builtin_clz(b | 1) - (uint32_t)c * 0xdeadbeefu;
}

int choose(int k, int x)
{
	switch (k) {
	case 0: return x + 5;
	case 1: return x * x;
	case 2: return x / 7;
	case 3: return x % 10;
	case 4: return x ^ 0x00ff00ff;
	case 5: return ~x & 0xfff;
	case 6: return (x >> 5) & 0x3f;
	case 7: return x | 0x80000000;
	case 9: return compare((uint8_t *)(intptr_t)x, (int8_t *)(intptr_t)x + 16, 12);
	}
	return (int)(k > x ? (unsigned)k / (unsigned)(x + 1) : (unsigned)x * 0x10001u);
}

volatile uint32_t *far_store(volatile uint32_t *p, uint32_t v)
{
	p[1000] = v;
	p[2000] = v + 0x12345;
	((volatile uint8_t *)p)[5] = (uint8_t)v;
	((volatile int16_t *)p)[9] = (int16_t)v;
	return p + 3;
}

int many(int a, int b, int c, int d, int e, int f)
{
	int buffer[40], i, r = 0;
	for (i = 0; i < 40; i++)
		buffer[i] = choose(i, a) + (b ^ (c << (i & 7)));
	for (i = 39; i >= 0; i--)
		r += (buffer[i] * d) >> (e & 31);
	return r + f;
}

#ifdef RUN
static uint32_t state[16];
static uint32_t results[64];

static int system_call(int number, int a, const void *b, int c)
{
	register int r7 __asm__("r7") = number;
	register int r0 __asm__("r0") = a;
	register const void *r1 __asm__("r1") = b;
	register int r2 __asm__("r2") = c;
	__asm__ volatile("svc 0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
	return r0;
}

void _start(void)
{
	uint16_t words[128];
	int i;
	for (i = 0; i < 16; i++)
		state[i] = (uint32_t)i * 0x9e3779b9u;
	for (i = 0; i < 40; i++) {
		chacha_block(state, state);
		results[i] = (uint32_t)many((int)(intptr_t)state, (int)state[1], (int)state[2], (int)state[3], i, (int)state[4]);
		results[i] ^= (uint32_t)(mix(((uint64_t)state[5] << 32) | state[6], state[7], (int16_t)state[8], words) >> (i & 31));
		results[i] += (uint32_t)compare((uint8_t *)state, (int8_t *)results, i) + words[3] + words[100];
		results[i] ^= (uint32_t)choose(i & 7, (int)state[9]) - (uint32_t)choose((int)state[10], (int)state[11]);
	}
	system_call(4, 1, results, sizeof results);
	system_call(1, 0, 0, 0);
	for (;;)
		;
}
#endif
