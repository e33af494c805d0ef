/* XTEA, one block of 8 bytes, in plain C: a function to judge from its object file. */
#include <stdint.h>

static uint32_t load(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store(uint8_t *p, uint32_t v)
{
	p[0] = v >> 24;
	p[1] = v >> 16;
	p[2] = v >> 8;
	p[3] = v;
}

void xtea_encrypt(uint8_t out[8], const uint8_t in[8], const uint8_t key[16])
{
	uint32_t v0 = load(in), v1 = load(in + 4), sum = 0;
	for (int i = 0; i < 32; i++) {
		v0 += ((v1 << 4 ^ v1 >> 5) + v1) ^ (sum + load(key + 4 * (sum & 3)));
		sum += 0x9e3779b9;
		v1 += ((v0 << 4 ^ v0 >> 5) + v0) ^ (sum + load(key + 4 * (sum >> 11 & 3)));
	}
	store(out, v0);
	store(out + 4, v1);
}
