// Arithmetic of every width, signed and not, whose results go into one check value.
#include "start.h"

typedef unsigned short u16;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

static u64 state = 1, check = 0;

static u64 next(void) {
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	u64 x = state >> 17;
	return x >> (x & 31);
}

static void add(u64 v) { check = (check << 7 | check >> 57) * 31 + v; }

#define WIDTH(name, U, S, BITS)                                                      \
	__attribute__((noinline)) static void name(U a, U b) {                           \
		S x = (S)a, y = (S)b;                                                        \
		unsigned n = b % BITS;                                                       \
		add((U)(a + b)); add((U)(a - b)); add((U)(a * b)); add((U)(a & ~b)); add(a | b);  \
		add((U)(a << n)); add((U)(a >> n)); add((u64)(S)(x >> n));                   \
		add((U)((U)(a << n) | (U)(a >> ((BITS - n) % BITS))));                       \
		if (b != 0) { add((U)(a / b)); add((U)(a % b)); }                            \
		if (y != 0 && y != -1) { add((u64)(S)(x / y)); add((u64)(S)(x % y)); }       \
		add((u64)(S)(x * y)); add((u64)(s64)x); add((u64)-(s64)y);                   \
		add(a < b); add(x < y); add(a == b); add(x >= y ? a : b);                    \
		add((u64)(a > b) + (u64)(x > 0) - (u64)(y <= 0));                            \
		switch (a % 5) { case 0: add(b); break; case 1: add(a ^ b); break; case 2: add(3); break; case 3: add(a); break; default: add(7); } \
	}

WIDTH(bits8, u8, s8, 8)
WIDTH(bits16, u16, s16, 16)
WIDTH(bits32, u32, s32, 32)
WIDTH(bits64, u64, s64, 64)

#define MANY 67
static u8 bytes[MANY], other[MANY];
static u16 shorts[MANY];
static u32 words[MANY];
static s64 longs[MANY];

// Loops that compilers make vectors of.
__attribute__((noinline)) static void arrays(void) {
	for (int i = 0; i < MANY; i++) {
		bytes[i] = (u8)next(); other[i] = (u8)next(); shorts[i] = (u16)next(); words[i] = (u32)next(); longs[i] = (s64)next();
	}
	u32 sum = 0, least = ~0u;
	s32 most = -1 << 30;
	s64 total = 0;
	for (int i = 0; i < MANY; i++) sum += bytes[i] * other[i];
	for (int i = 0; i < MANY; i++) { int d = bytes[i] - other[i]; sum += d < 0 ? -d : d; }
	for (int i = 0; i < MANY; i++) bytes[i] = (u8)((bytes[i] + other[i] + 1) >> 1);
	for (int i = 0; i < MANY; i++) { least = words[i] < least ? words[i] : least; most = (s32)words[i] > most ? (s32)words[i] : most; }
	for (int i = 0; i < MANY; i++) shorts[i] = (u16)((s16)shorts[i] * (s16)(words[i] >> 3) >> 16);
	for (int i = 0; i < MANY; i++) words[i] = words[i] * 2654435761u + (words[i] >> 7 | words[i] << 25);
	for (int i = 0; i < MANY; i++) total += longs[i] - (s32)words[i];
	for (int i = 0; i < MANY; i++) { s32 v = (s16)shorts[i] + (s8)bytes[i]; other[i] = (u8)(v < 0 ? 0 : v > 255 ? 255 : v); }
	add(sum); add(least); add((u64)(s64)most); add((u64)total);
	for (int i = 0; i < MANY; i++) { add(bytes[i]); add(other[i]); add(shorts[i]); add(words[i]); }
}

static u32 reversed(u32 v) { return v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24; }

__attribute__((noinline)) static void bits(u32 v, u64 w) {
	add(reversed(v));
	if (v != 0) { add((u64)__builtin_ctz(v)); add((u64)__builtin_clz(v)); }
	if (w != 0) { add((u64)__builtin_ctzll(w)); add((u64)__builtin_clzll(w)); }
	add((u64)__builtin_popcount(v)); add((u64)__builtin_parity(v)); add(w >> (v & 63) & 1);
}

int main(void) {
	for (int i = 0; i < 300; i++) {
		u64 a = next(), b = next();
		bits8((u8)a, (u8)b); bits16((u16)a, (u16)b); bits32((u32)a, (u32)b); bits64(a, b);
		bits((u32)a, b);
		if (i % 10 == 0) arrays();
	}
	put_hex("high", (u32)(check >> 32));
	put_hex("low", (u32)check);
	return (int)(check & 127);
}
