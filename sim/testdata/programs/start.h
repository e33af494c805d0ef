// What the test programs stand on: output and exit, by Linux system calls or as the test chooses.
#ifndef START_H
#define START_H
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

void put(const char *text);
void put_hex(const char *name, u32 value);
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);
void *memset(void *to, int c, __SIZE_TYPE__ n);
#endif
