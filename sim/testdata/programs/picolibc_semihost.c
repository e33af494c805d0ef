// Start and heap for picolibc with semihosting, without the privileged registers that its own start-up uses:
// qemu-riscv32 runs the same file.
#include <stddef.h>
#include <string.h>

int main(void);
void exit(int);
extern char __bss_start[], __bss_size[];

// qemu-riscv32 shows what follows in the file where the first page of .bss should be zero.
__attribute__((used)) void start(void) {
	memset(__bss_start, 0, (size_t)__bss_size);
	exit(main());
}

__asm__(".global _start\n_start:\n.option push\n.option norelax\n la gp, __global_pointer$\n la tp, storage\n.option pop\n call start\n");

char storage[256] __attribute__((aligned(16))); // thread-local storage

void *sbrk(ptrdiff_t n) {
	static char heap[16384] __attribute__((aligned(16)));
	static size_t used;
	if (used + (size_t)n > sizeof heap) return (void *)-1;
	used += (size_t)n;
	return heap + used - n;
}
