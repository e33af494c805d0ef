// ChaCha20, RFC 8439 section 2.3.2; then a stream of blocks.
#include "start.h"

#define ROL(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define QUARTER(a, b, c, d) \
	a += b, d = ROL(d ^ a, 16), c += d, b = ROL(b ^ c, 12), a += b, d = ROL(d ^ a, 8), c += d, b = ROL(b ^ c, 7)

__attribute__((noinline)) void block(const u32 in[16], u32 out[16]) {
	u32 x[16];
	for (int i = 0; i < 16; i++) x[i] = in[i];
	for (int i = 0; i < 10; i++) {
		QUARTER(x[0], x[4], x[8], x[12]);
		QUARTER(x[1], x[5], x[9], x[13]);
		QUARTER(x[2], x[6], x[10], x[14]);
		QUARTER(x[3], x[7], x[11], x[15]);
		QUARTER(x[0], x[5], x[10], x[15]);
		QUARTER(x[1], x[6], x[11], x[12]);
		QUARTER(x[2], x[7], x[8], x[13]);
		QUARTER(x[3], x[4], x[9], x[14]);
	}
	for (int i = 0; i < 16; i++) out[i] = x[i] + in[i];
}

#ifndef BLOCKS
#define BLOCKS 20
#endif

int main(void) {
	u32 in[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, 0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
	              0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c, 1, 0x09000000, 0x4a000000, 0};
	u32 out[16], sum = 0;
	block(in, out);
	put_hex("first", out[0]);
	int right = out[0] == 0xe4e7f110 && out[15] == 0x4e3c50a2;
	for (int i = 0; i < BLOCKS; i++) {
		in[12]++;
		block(in, out);
		sum ^= out[i & 15];
	}
	put_hex("sum", sum);
	return right ? 64 : 1;
}
