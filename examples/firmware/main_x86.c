/* Eight blocks of GIFT-64 with the code of simrun on x86-64, where a kernel is a C function of a context block that
 * holds its parameters. The exit status is 0 if all blocks are right. */
#include "gift64.h"

static const uint8_t key[16] = {0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
				0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
static const uint8_t plain[8] = {0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
static const uint8_t right[8] = {0xc1, 0xb7, 0x1f, 0x66, 0x16, 0x0f, 0xf5, 0x87};

/* A context holds parameters and spilled values, so threads need one each. */
static struct gift64_fixsliced_keys_context expand;
static struct gift64_fixsliced_context encrypt;

static uint32_t key_words[4], round_keys[28 * 2], in[8 * 2], out[8 * 2];

int main(void)
{
	__builtin_memcpy(key_words, key, 16);
	expand.in = key_words;
	expand.out = round_keys;
	gift64_fixsliced_keys(&expand);

	for (int block = 0; block < 8; block++)
		__builtin_memcpy(in + 2 * block, plain, 8);
	encrypt.pt = in;
	encrypt.ct = out;
	encrypt.rk = round_keys;
	gift64_fixsliced(&encrypt);
	for (int block = 0; block < 8; block++)
		if (__builtin_memcmp(out + 2 * block, right, 8) != 0)
			return 1;
	return 0;
}
