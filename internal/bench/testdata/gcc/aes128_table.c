/* AES-128 with four tables of 1 KB and the S-box, one block a call, the keys expanded: ciphers/aes/table.kir in C, in several forms. tables.h
 * is made from the tables of the kernel. Words are little-endian, as the kernel's. */
#include <stdint.h>
#include "tables.h"

#define INLINE static inline __attribute__((always_inline))

/* Row r of a column by shifts. */
#define B0(x) ((x) & 0xff)
#define B1(x) ((x) >> 8 & 0xff)
#define B2(x) ((x) >> 16 & 0xff)
#define B3(x) ((x) >> 24)

INLINE uint32_t mix(uint32_t a, uint32_t b, uint32_t c, uint32_t d) { return T0[B0(a)] ^ T1[B1(b)] ^ T2[B2(c)] ^ T3[B3(d)]; }

INLINE uint32_t sub(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	return SB[B0(a)] | (uint32_t)SB[B1(b)] << 8 | (uint32_t)SB[B2(c)] << 16 | (uint32_t)SB[B3(d)] << 24;
}

#define ROUND(s, t, k) \
	do { \
		t##0 = mix(s##0, s##1, s##2, s##3) ^ (k)[0]; \
		t##1 = mix(s##1, s##2, s##3, s##0) ^ (k)[1]; \
		t##2 = mix(s##2, s##3, s##0, s##1) ^ (k)[2]; \
		t##3 = mix(s##3, s##0, s##1, s##2) ^ (k)[3]; \
	} while (0)

#define BEGIN uint32_t x0 = in[0] ^ k[0], x1 = in[1] ^ k[1], x2 = in[2] ^ k[2], x3 = in[3] ^ k[3], y0, y1, y2, y3

#define LAST(s, k) \
	do { \
		out[0] = sub(s##0, s##1, s##2, s##3) ^ (k)[0]; \
		out[1] = sub(s##1, s##2, s##3, s##0) ^ (k)[1]; \
		out[2] = sub(s##2, s##3, s##0, s##1) ^ (k)[2]; \
		out[3] = sub(s##3, s##0, s##1, s##2) ^ (k)[3]; \
	} while (0)

/* The usual form, unrolled. */
void unrolled(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict k)
{
	BEGIN;
	ROUND(x, y, k + 4);
	ROUND(y, x, k + 8);
	ROUND(x, y, k + 12);
	ROUND(y, x, k + 16);
	ROUND(x, y, k + 20);
	ROUND(y, x, k + 24);
	ROUND(x, y, k + 28);
	ROUND(y, x, k + 32);
	ROUND(x, y, k + 36);
	LAST(y, k + 40);
}

/* Two rounds a turn. */
void looped(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict k)
{
	BEGIN;
	for (int i = 0; i < 4; i++) {
		k += 4;
		ROUND(x, y, k);
		k += 4;
		ROUND(y, x, k);
	}
	ROUND(x, y, k + 4);
	LAST(y, k + 8);
}

/* One round a turn, on arrays. */
void arrays(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict k)
{
	uint32_t x[4], y[4];
	for (int c = 0; c < 4; c++)
		x[c] = in[c] ^ k[c];
	for (int r = 1; r < 10; r++) {
		for (int c = 0; c < 4; c++)
			y[c] = mix(x[c], x[(c + 1) % 4], x[(c + 2) % 4], x[(c + 3) % 4]) ^ k[4 * r + c];
		__builtin_memcpy(x, y, sizeof x);
	}
	for (int c = 0; c < 4; c++)
		out[c] = sub(x[c], x[(c + 1) % 4], x[(c + 2) % 4], x[(c + 3) % 4]) ^ k[40 + c];
}

/* By the old columns, as in the kernel: each is dead when its four bytes are taken. */
INLINE void scatter(uint32_t x, uint32_t *a, uint32_t *d, uint32_t *c, uint32_t *b)
{
	*a ^= T0[(uint8_t)x];
	*d ^= T1[(uint8_t)(x >> 8)];
	x >>= 16;
	*c ^= T2[(uint8_t)x];
	*b ^= T3[x >> 8];
}

INLINE void scatter_last(uint32_t x, uint32_t *a, uint32_t *d, uint32_t *c, uint32_t *b)
{
	*a ^= SB[(uint8_t)x];
	*d ^= (uint32_t)SB[(uint8_t)(x >> 8)] << 8;
	x >>= 16;
	*c ^= (uint32_t)SB[(uint8_t)x] << 16;
	*b ^= (uint32_t)SB[x >> 8] << 24;
}

#define SCATTER(step, s, t, k) \
	do { \
		t##0 = (k)[0], t##1 = (k)[1], t##2 = (k)[2], t##3 = (k)[3]; \
		step(s##0, &t##0, &t##3, &t##2, &t##1); \
		step(s##1, &t##1, &t##0, &t##3, &t##2); \
		step(s##2, &t##2, &t##1, &t##0, &t##3); \
		step(s##3, &t##3, &t##2, &t##1, &t##0); \
	} while (0)

void columns(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict k)
{
	BEGIN;
	SCATTER(scatter, x, y, k + 4);
	SCATTER(scatter, y, x, k + 8);
	SCATTER(scatter, x, y, k + 12);
	SCATTER(scatter, y, x, k + 16);
	SCATTER(scatter, x, y, k + 20);
	SCATTER(scatter, y, x, k + 24);
	SCATTER(scatter, x, y, k + 28);
	SCATTER(scatter, y, x, k + 32);
	SCATTER(scatter, x, y, k + 36);
	SCATTER(scatter_last, y, x, k + 40);
	out[0] = x0, out[1] = x1, out[2] = x2, out[3] = x3;
}

void columns_looped(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict k)
{
	BEGIN;
	for (int i = 0; i < 4; i++) {
		k += 4;
		SCATTER(scatter, x, y, k);
		k += 4;
		SCATTER(scatter, y, x, k);
	}
	SCATTER(scatter, x, y, k + 4);
	SCATTER(scatter_last, y, x, k + 8);
	out[0] = x0, out[1] = x1, out[2] = x2, out[3] = x3;
}

/* The bytes read back from memory. */
void bytes(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict k)
{
	union {
		uint32_t w[4];
		uint8_t b[16];
	} x, y;
	for (int c = 0; c < 4; c++)
		x.w[c] = in[c] ^ k[c];
	for (int r = 1; r < 10; r++) {
		for (int c = 0; c < 4; c++)
			y.w[c] = T0[x.b[4 * c]] ^ T1[x.b[(4 * c + 5) % 16]] ^ T2[x.b[(4 * c + 10) % 16]] ^ T3[x.b[(4 * c + 15) % 16]] ^ k[4 * r + c];
		x = y;
	}
	for (int c = 0; c < 4; c++)
		out[c] = (SB[x.b[4 * c]] | (uint32_t)SB[x.b[(4 * c + 5) % 16]] << 8 | (uint32_t)SB[x.b[(4 * c + 10) % 16]] << 16 |
			  (uint32_t)SB[x.b[(4 * c + 15) % 16]] << 24) ^ k[40 + c];
}

/* Two columns in a word of 64 bits, as they lie in memory. */
#define AT(w, byte) ((uint8_t)((w) >> 8 * (byte)))

#define WIDE(s, t, k) \
	do { \
		uint64_t key[2]; \
		__builtin_memcpy(key, (k), sizeof key); \
		t##0 = ((uint64_t)(T0[AT(s##0, 4)] ^ T1[AT(s##1, 1)] ^ T2[AT(s##1, 6)] ^ T3[AT(s##0, 3)]) << 32 | \
			(T0[AT(s##0, 0)] ^ T1[AT(s##0, 5)] ^ T2[AT(s##1, 2)] ^ T3[AT(s##1, 7)])) ^ key[0]; \
		t##1 = ((uint64_t)(T0[AT(s##1, 4)] ^ T1[AT(s##0, 1)] ^ T2[AT(s##0, 6)] ^ T3[AT(s##1, 3)]) << 32 | \
			(T0[AT(s##1, 0)] ^ T1[AT(s##1, 5)] ^ T2[AT(s##0, 2)] ^ T3[AT(s##0, 7)])) ^ key[1]; \
	} while (0)

void wide(const uint32_t *restrict in, uint32_t *restrict out, const uint32_t *restrict k)
{
	uint64_t x0, x1, y0, y1, k0, k1;
	__builtin_memcpy(&x0, in, 8), __builtin_memcpy(&x1, in + 2, 8), __builtin_memcpy(&k0, k, 8), __builtin_memcpy(&k1, k + 2, 8);
	x0 ^= k0, x1 ^= k1;
	WIDE(x, y, k + 4);
	WIDE(y, x, k + 8);
	WIDE(x, y, k + 12);
	WIDE(y, x, k + 16);
	WIDE(x, y, k + 20);
	WIDE(y, x, k + 24);
	WIDE(x, y, k + 28);
	WIDE(y, x, k + 32);
	WIDE(x, y, k + 36);
	uint32_t z0 = y0, z1 = y0 >> 32, z2 = y1, z3 = y1 >> 32;
	LAST(z, k + 40);
}
