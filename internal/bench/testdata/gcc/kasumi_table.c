/* KASUMI with the merged tables of 16 bits, two blocks a call, the keys expanded: ciphers/kasumi/table.kir in C, in several forms. tables.h
 * is made from the tables of the kernel. The message is big-endian. */
#include <stdint.h>
#include "tables.h"

#define INLINE static inline __attribute__((always_inline))

/* Places of the subkeys of a round. */
enum { KL1, KL2, KO, KI = 5, SUBKEYS = 8 };

INLINE uint32_t fi(uint32_t x, uint32_t k)
{
	x = T9[x >> 7] ^ T7[x & 0x7f] ^ k;
	return T9[x & 0x1ff] ^ T7[x >> 9];
}

/* Two blocks side by side in words of 32 bits: HALF is what holds 16 bits. */
#define PAIR(NAME, HALF, ROTATED) \
	typedef struct { HALF a, b; } NAME##_pair; \
	INLINE void NAME##_fi(NAME##_pair *x, HALF k) \
	{ \
		x->a = T9[x->a >> 7] ^ T7[x->a & 0x7f] ^ k; \
		x->b = T9[x->b >> 7] ^ T7[x->b & 0x7f] ^ k; \
		x->a = T9[x->a & 0x1ff] ^ T7[x->a >> 9]; \
		x->b = T9[x->b & 0x1ff] ^ T7[x->b >> 9]; \
	} \
	INLINE void NAME##_fl(NAME##_pair *l, NAME##_pair *r, const uint16_t *k) \
	{ \
		r->a ^= ROTATED((HALF)(l->a & k[KL1])); \
		r->b ^= ROTATED((HALF)(l->b & k[KL1])); \
		l->a ^= ROTATED((HALF)(r->a | k[KL2])); \
		l->b ^= ROTATED((HALF)(r->b | k[KL2])); \
	} \
	INLINE void NAME##_fo(NAME##_pair *left, NAME##_pair *right, const uint16_t *k) \
	{ \
		NAME##_pair l = *left, r = *right; \
		l.a ^= k[KO], l.b ^= k[KO]; \
		NAME##_fi(&l, k[KI]); \
		l.a ^= r.a, l.b ^= r.b; \
		r.a ^= k[KO + 1], r.b ^= k[KO + 1]; \
		NAME##_fi(&r, k[KI + 1]); \
		r.a ^= l.a, r.b ^= l.b; \
		l.a ^= k[KO + 2], l.b ^= k[KO + 2]; \
		NAME##_fi(&l, k[KI + 2]); \
		l.a ^= r.a, l.b ^= r.b; \
		*left = r, *right = l; \
	} \
	INLINE void NAME##_two_rounds(NAME##_pair *x, const uint16_t *k) /* x: L and R, each left and right */ \
	{ \
		NAME##_pair l = x[0], r = x[1]; \
		NAME##_fl(&l, &r, k); \
		NAME##_fo(&l, &r, k); \
		x[2].a ^= l.a, x[2].b ^= l.b, x[3].a ^= r.a, x[3].b ^= r.b; \
		l = x[2], r = x[3]; \
		NAME##_fo(&l, &r, k + SUBKEYS); \
		NAME##_fl(&l, &r, k + SUBKEYS); \
		x[0].a ^= l.a, x[0].b ^= l.b, x[1].a ^= r.a, x[1].b ^= r.b; \
	} \
	INLINE void NAME##_load(NAME##_pair *x, const uint32_t *in) \
	{ \
		for (int w = 0; w < 2; w++) { \
			uint32_t a = __builtin_bswap32(in[w]), b = __builtin_bswap32(in[w + 2]); \
			x[2 * w].a = a >> 16, x[2 * w].b = b >> 16; \
			x[2 * w + 1].a = (uint16_t)a, x[2 * w + 1].b = (uint16_t)b; \
		} \
	} \
	INLINE void NAME##_store(const NAME##_pair *x, uint32_t *out) \
	{ \
		for (int w = 0; w < 2; w++) { \
			out[w] = __builtin_bswap32((uint32_t)x[2 * w].a << 16 | x[2 * w + 1].a); \
			out[w + 2] = __builtin_bswap32((uint32_t)x[2 * w].b << 16 | x[2 * w + 1].b); \
		} \
	} \
	void NAME##_unrolled(const uint32_t *restrict in, uint32_t *restrict out, const uint16_t *restrict k) \
	{ \
		NAME##_pair x[4]; \
		NAME##_load(x, in); \
		NAME##_two_rounds(x, k); \
		NAME##_two_rounds(x, k + 2 * SUBKEYS); \
		NAME##_two_rounds(x, k + 4 * SUBKEYS); \
		NAME##_two_rounds(x, k + 6 * SUBKEYS); \
		NAME##_store(x, out); \
	} \
	void NAME##_looped(const uint32_t *restrict in, uint32_t *restrict out, const uint16_t *restrict k) \
	{ \
		NAME##_pair x[4]; \
		NAME##_load(x, in); \
		for (int i = 0; i < 4; i++, k += 2 * SUBKEYS) \
			NAME##_two_rounds(x, k); \
		NAME##_store(x, out); \
	}

/* A half in a register of 32 bits, its upper bits 0, or in one of 16 bits. */
#define ROTATED32(x) ((uint16_t)((x) << 1) | (x) >> 15)
#define ROTATED16(x) ((uint16_t)((x) << 1 | (x) >> 15))
PAIR(words, uint32_t, ROTATED32)
PAIR(narrow, uint16_t, ROTATED16)
PAIR(mixed, uint32_t, ROTATED16)

/* One block after the other: the processor may run them side by side. */
INLINE void one(const uint32_t *restrict in, uint32_t *restrict out, const uint16_t *restrict k)
{
	uint32_t x = __builtin_bswap32(in[0]), y = __builtin_bswap32(in[1]);
	uint32_t ll = x >> 16, lr = x & 0xffff, rl = y >> 16, rr = y & 0xffff;
	for (int i = 0; i < 4; i++, k += 2 * SUBKEYS) {
		const uint16_t *e = k + SUBKEYS;
		uint32_t l = ll, r = lr;
		r ^= ROTATED32(l & k[KL1]);
		l ^= ROTATED32(r | k[KL2]);
		l = fi(l ^ k[KO], k[KI]) ^ r;
		r = fi(r ^ k[KO + 1], k[KI + 1]) ^ l;
		l = fi(l ^ k[KO + 2], k[KI + 2]) ^ r;
		rl ^= r;
		rr ^= l;
		l = rl, r = rr;
		l = fi(l ^ e[KO], e[KI]) ^ r;
		r = fi(r ^ e[KO + 1], e[KI + 1]) ^ l;
		l = fi(l ^ e[KO + 2], e[KI + 2]) ^ r;
		l ^= ROTATED32(r & e[KL1]);
		r ^= ROTATED32(l | e[KL2]);
		ll ^= r;
		lr ^= l;
	}
	out[0] = __builtin_bswap32(ll << 16 | lr);
	out[1] = __builtin_bswap32(rl << 16 | rr);
}

void in_turn(const uint32_t *restrict in, uint32_t *restrict out, const uint16_t *restrict k)
{
	one(in, out, k);
	one(in + 2, out + 2, k);
}

/* A half of both blocks in a word of 32 bits. */
INLINE uint32_t twice(uint16_t k) { return k * 0x10001u; }

INLINE uint32_t rotated_both(uint32_t x) { return (x << 1 & 0xfffefffe) | (x >> 15 & 0x00010001); }

INLINE uint32_t fi_both(uint32_t x, uint16_t k)
{
	x = (T9[x >> 7 & 0x1ff] ^ T7[x & 0x7f]) | (uint32_t)(T9[x >> 23] ^ T7[x >> 16 & 0x7f]) << 16;
	x ^= twice(k);
	return (T9[x & 0x1ff] ^ T7[x >> 9 & 0x7f]) | (uint32_t)(T9[x >> 16 & 0x1ff] ^ T7[x >> 25]) << 16;
}

void both(const uint32_t *restrict in, uint32_t *restrict out, const uint16_t *restrict k)
{
	uint32_t x[4];
	for (int w = 0; w < 2; w++) {
		uint32_t a = __builtin_bswap32(in[w]), b = __builtin_bswap32(in[w + 2]);
		x[2 * w] = a >> 16 | (b & 0xffff0000);
		x[2 * w + 1] = (a & 0xffff) | b << 16;
	}
	for (int i = 0; i < 4; i++, k += 2 * SUBKEYS) {
		const uint16_t *e = k + SUBKEYS;
		uint32_t l = x[0], r = x[1];
		r ^= rotated_both(l & twice(k[KL1]));
		l ^= rotated_both(r | twice(k[KL2]));
		l = fi_both(l ^ twice(k[KO]), k[KI]) ^ r;
		r = fi_both(r ^ twice(k[KO + 1]), k[KI + 1]) ^ l;
		l = fi_both(l ^ twice(k[KO + 2]), k[KI + 2]) ^ r;
		x[2] ^= r;
		x[3] ^= l;
		l = x[2], r = x[3];
		l = fi_both(l ^ twice(e[KO]), e[KI]) ^ r;
		r = fi_both(r ^ twice(e[KO + 1]), e[KI + 1]) ^ l;
		l = fi_both(l ^ twice(e[KO + 2]), e[KI + 2]) ^ r;
		l ^= rotated_both(r & twice(e[KL1]));
		r ^= rotated_both(l | twice(e[KL2]));
		x[0] ^= r;
		x[1] ^= l;
	}
	for (int w = 0; w < 2; w++) {
		out[w] = __builtin_bswap32(x[2 * w] << 16 | (x[2 * w + 1] & 0xffff));
		out[w + 2] = __builtin_bswap32((x[2 * w] & 0xffff0000) | x[2 * w + 1] >> 16);
	}
}
