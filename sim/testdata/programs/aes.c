// AES-128 with one table of 256 words, FIPS 197 appendix B; then a chain of blocks. bench() is the part that a
// speed is measured on.
#include "start.h"

static u8 sbox[256];
static u32 table[256]; // column of MixColumns of S(x): 2S, S, S, 3S from the low byte up

static u8 twice(u8 x) { return (u8)(x << 1 ^ (x >> 7) * 0x1b); }

static void make_tables(void) {
	u8 p = 1, q = 1;
	do {
		p = (u8)(p ^ twice(p));
		q ^= (u8)(q << 1);
		q ^= (u8)(q << 2);
		q ^= (u8)(q << 4);
		if (q & 0x80) q ^= 9;
		u8 x = (u8)(q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4));
		sbox[p] = x ^ 0x63;
	} while (p != 1);
	sbox[0] = 0x63;
	for (int i = 0; i < 256; i++) {
		u32 s = sbox[i], s2 = twice((u8)s);
		table[i] = s2 | s << 8 | s << 16 | (s2 ^ s) << 24;
	}
}

static void expand(const u32 key[4], u32 rk[44]) {
	u8 rcon = 1;
	for (int i = 0; i < 4; i++) rk[i] = key[i];
	for (int i = 4; i < 44; i++) {
		u32 t = rk[i - 1];
		if (i % 4 == 0) {
			t = t >> 8 | t << 24;
			t = sbox[t & 255] | (u32)sbox[t >> 8 & 255] << 8 | (u32)sbox[t >> 16 & 255] << 16 | (u32)sbox[t >> 24] << 24;
			t ^= rcon;
			rcon = twice(rcon);
		}
		rk[i] = rk[i - 4] ^ t;
	}
}

#define ROL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define COLUMN(a, b, c, d, k) \
	(table[(a)&255] ^ ROL(table[(b) >> 8 & 255], 8) ^ ROL(table[(c) >> 16 & 255], 16) ^ ROL(table[(d) >> 24], 24) ^ (k))
#define LAST(a, b, c, d, k) \
	((sbox[(a)&255] | (u32)sbox[(b) >> 8 & 255] << 8 | (u32)sbox[(c) >> 16 & 255] << 16 | (u32)sbox[(d) >> 24] << 24) ^ (k))

__attribute__((noinline)) void encrypt(const u32 *rk, u32 s[4]) {
	u32 a = s[0] ^ rk[0], b = s[1] ^ rk[1], c = s[2] ^ rk[2], d = s[3] ^ rk[3];
	for (int r = 1; r < 10; r++) {
		rk += 4;
		u32 x = COLUMN(a, b, c, d, rk[0]), y = COLUMN(b, c, d, a, rk[1]);
		u32 z = COLUMN(c, d, a, b, rk[2]), w = COLUMN(d, a, b, c, rk[3]);
		a = x, b = y, c = z, d = w;
	}
	rk += 4;
	s[0] = LAST(a, b, c, d, rk[0]);
	s[1] = LAST(b, c, d, a, rk[1]);
	s[2] = LAST(c, d, a, b, rk[2]);
	s[3] = LAST(d, a, b, c, rk[3]);
}

#ifndef BLOCKS
#define BLOCKS 20
#endif

int main(void) {
	static const u32 key[4] = {0x16157e2b, 0xa6d2ae28, 0x8815f7ab, 0x3c4fcf09};
	u32 rk[44], s[4] = {0xa8f64332, 0x8d305a88, 0xa2983131, 0x340737e0};
	make_tables();
	expand(key, rk);
	encrypt(rk, s);
	put_hex("block", s[0]);
	int right = s[0] == 0x1d842539 && s[1] == 0xfb09dc02 && s[2] == 0x978511dc && s[3] == 0x320b6a19;
	for (int i = 0; i < BLOCKS; i++) encrypt(rk, s);
	put_hex("chain", s[0] ^ s[1] ^ s[2] ^ s[3]);
	return right ? 42 : 1;
}
