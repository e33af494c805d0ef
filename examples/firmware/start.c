/* The least start-up code with which a program runs under QEMU user mode and simrun: main, then exit. Your
 * firmware has its own. */
int main(void);

void _start(void)
{
	register int status __asm__(
#if defined(__riscv)
		"a0") = main();
	register int call __asm__("a7") = 93;
	__asm__ volatile("ecall" : : "r"(status), "r"(call));
#else
		"r0") = main();
	register int call __asm__("r7") = 1;
	__asm__ volatile("svc 0" : : "r"(status), "r"(call));
#endif
	__builtin_unreachable();
}
