// Factorials and a modular power with numbers of 32-bit limbs: long multiplication, carries, division.
#include "start.h"

enum { LIMBS = 24 };

static u32 multiply_small(u32 *v, int n, u32 m) {
	u64 carry = 0;
	for (int i = 0; i < n; i++) {
		carry += (u64)v[i] * m;
		v[i] = (u32)carry;
		carry >>= 32;
	}
	return (u32)carry;
}

static u32 divide_small(u32 *v, int n, u32 d) {
	u64 rest = 0;
	for (int i = n - 1; i >= 0; i--) {
		rest = rest << 32 | v[i];
		v[i] = (u32)(rest / d);
		rest %= d;
	}
	return (u32)rest;
}

static int is_zero(const u32 *v, int n) {
	for (int i = 0; i < n; i++)
		if (v[i]) return 0;
	return 1;
}

static void put_decimal(u32 *v, int n) {
	char text[LIMBS * 10 + 2];
	int at = sizeof text - 1;
	text[at] = 0;
	text[--at] = '\n';
	do {
		text[--at] = (char)('0' + divide_small(v, n, 10));
	} while (!is_zero(v, n));
	put(text + at);
}

static u64 power(u64 base, u64 exponent, u32 modulus) {
	u64 r = 1;
	for (base %= modulus; exponent; exponent >>= 1) {
		if (exponent & 1) r = r * base % modulus;
		base = base * base % modulus;
	}
	return r;
}

int main(void) {
	u32 v[LIMBS] = {1};
	u32 over = 0;
	for (u32 i = 2; i <= 100; i++) over |= multiply_small(v, LIMBS, i);
	put_decimal(v, LIMBS);
	put_hex("power", (u32)power(0x123456789abcdefull, 1000000007ull, 4294967291u));
	put_hex("signed", (u32)((long long)-1234567890123ll / 1000003 + (long long)-1234567890123ll % 1000003));
	return over ? 1 : 99;
}
