/* Two blocks of GIFT-64 with the code of simrun, for the Cortex-M and the E31, where a kernel is a C function
 * of its parameters. The exit status is 0 if both blocks are right. */
#include "gift64.h"

/* The compiled functions take words; aligned bytes in memory are what they mean. */
#define WORDS __attribute__((aligned(4)))

static const uint8_t key[16] WORDS = {0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
				      0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
static const uint8_t plain[16] WORDS = {0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
					0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10};
static const uint8_t right[8] = {0xc1, 0xb7, 0x1f, 0x66, 0x16, 0x0f, 0xf5, 0x87};

static uint32_t round_keys[28 * 2];
static uint8_t cipher[16] WORDS;

int main(void)
{
	gift64_fixsliced_keys((const uint32_t *)key, round_keys);
	gift64_fixsliced((const uint32_t *)plain, (uint32_t *)cipher, round_keys);
	for (int i = 0; i < 16; i++)
		if (cipher[i] != right[i % 8])
			return 1;
	return 0;
}
