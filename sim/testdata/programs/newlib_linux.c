// Start, end and system calls for newlib as a user-mode program of Linux: qemu-arm runs the same file.
#include <sys/stat.h>
#include <unistd.h>
static long call(long number, long a, long b, long c) {
	register long r7 __asm__("r7") = number;
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;
	__asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
	return r0;
}
int main(void);
void exit(int);
__attribute__((used)) void start(void) { exit(main()); }
__asm__(".global _start\n.thumb_func\n.type _start, %function\n_start:\n bl start\n");
int _write(int fd, const void *p, size_t n) { return call(4, fd, (long)p, (long)n); }
void _exit(int status) { call(1, status, 0, 0); for (;;) { } }
void *_sbrk(ptrdiff_t n) {
	static char *end;
	if (!end) end = (char *)call(45, 0, 0, 0);
	char *old = end;
	end += n;
	call(45, (long)end, 0, 0);
	return old;
}
int _read(int fd, void *p, size_t n) { return call(3, fd, (long)p, (long)n); }
int _close(int fd) { return call(6, fd, 0, 0); }
int _isatty(int fd) { return fd < 3; }
int _fstat(int fd, struct stat *st) {
	(void)fd;
	st->st_mode = S_IFCHR;
	return 0;
}
long _lseek(int fd, long off, int whence) { return call(19, fd, off, whence); }
int _getpid(void) { return 1; }
int _kill(int pid, int signal) {
	(void)pid, (void)signal;
	return -1;
}
void _init(void) {}
void _fini(void) {}
