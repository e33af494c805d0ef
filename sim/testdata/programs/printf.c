// The C library's printf, string functions, allocation and exit status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_length(const void *a, const void *b) {
	const char *const *x = a, *const *y = b;
	int d = (int)strlen(*x) - (int)strlen(*y);
	return d != 0 ? d : strcmp(*x, *y);
}

int main(void) {
	const char *words[] = {"cortex", "m", "prefetch", "e31", "alignment", "core"};
	printf("%d %5d|%-5d|%05d %x %X %o %c %s %.3s %%\n", -42, 7, 7, 7, 0xbeef, 0xbeef, 8, 'c', "text", "abcdef");
	printf("%lld %llu %p\n", -1234567890123ll, 12345678901234567890ull, (void *)0);
	qsort(words, 6, sizeof words[0], by_length);
	for (int i = 0; i < 6; i++) printf("%s ", words[i]);
	printf("\n");
	char *grown = NULL;
	size_t n = 0;
	for (int i = 0; i < 100; i++) {
		grown = realloc(grown, n + 40);
		if (grown == NULL) return 1;
		n += (size_t)snprintf(grown + n, 40, "%d,", i * i);
	}
	printf("%u %s\n", (unsigned)n, grown + n - 20);
	fprintf(stderr, "to the error output\n");
	exit(strtol("0x2a", NULL, 16) == 42 ? 7 : 1);
}
