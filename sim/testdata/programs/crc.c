// CRC-32 and CRC-16, bit by bit and by table, of all short strings of a text.
#include "start.h"

static u32 table[256];

static u32 crc32_bits(u32 crc, const u8 *p, u32 n) {
	crc = ~crc;
	while (n--) {
		crc ^= *p++;
		for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (-(crc & 1) & 0xedb88320u);
	}
	return ~crc;
}

static u32 crc32_table(u32 crc, const u8 *p, u32 n) {
	crc = ~crc;
	while (n--) crc = crc >> 8 ^ table[(u8)(crc ^ *p++)];
	return ~crc;
}

static unsigned short crc16(unsigned short crc, const u8 *p, u32 n) {
	while (n--) {
		crc ^= (unsigned short)(*p++ << 8);
		for (int i = 0; i < 8; i++) crc = crc & 0x8000 ? (unsigned short)(crc << 1 ^ 0x1021) : (unsigned short)(crc << 1);
	}
	return crc;
}

int main(void) {
	static const u8 text[] = "123456789 the quick brown fox jumps over the lazy dog";
	for (u32 i = 0; i < 256; i++) {
		u32 c = i;
		for (int k = 0; k < 8; k++) c = c >> 1 ^ (-(c & 1) & 0xedb88320u);
		table[i] = c;
	}
	put_hex("check", crc32_bits(0, text, 9));
	put_hex("check16", crc16(0xffff, text, 9));
	u32 sum = 0, wrong = 0;
	for (u32 i = 0; i < sizeof text; i++) {
		u32 x = crc32_bits(0, text, i), y = crc32_table(0, text, i);
		wrong += x != y;
		sum = sum * 31 + x + crc16(0, text, i);
	}
	put_hex("sum", sum);
	return (int)wrong + (crc32_table(0, text, 9) == 0xcbf43926u ? 33 : 1);
}
