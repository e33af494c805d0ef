// What a C library does between its start and its end: formatted floating-point numbers, strings of every length and
// alignment, memory in large pieces, sorting, searching, time. musl formats floating-point numbers with the x87 unit.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char from[600], to[600];

static unsigned strings(void) {
	unsigned sum = 0;
	for (unsigned n = 0; n < 300; n = n * 5 / 4 + 1) {
		for (unsigned at = 0; at < 20; at += 3) {
			memset(from, 0, sizeof from);
			memset(from + at, 'a' + (int)(n % 20), n);
			memcpy(to, from, sizeof to);
			memmove(to + at / 2, to, n + at);
			sum = sum * 31 + (unsigned)strlen(from + at) + (unsigned)(memcmp(from, to, sizeof to) < 0);
			sum += (unsigned)(strcmp(from + at, to + at) > 0) + (strchr(from + at, 'b') != NULL) + (memchr(to, 'c', 500) != NULL);
			strncpy(to, from + at, 100);
			sum += (unsigned)strnlen(to, 50) + (unsigned)(strrchr(from + at, 'a') != NULL) + (strstr(from + at, "aaab") != NULL);
		}
	}
	return sum;
}

static int compare(const void *a, const void *b) {
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
	(void)argv;
	printf("%d\n", argc);
#ifndef NO_X87
	printf("%d %.3f %e %g %g %.10g %5.1f|%-8.2f|%+f\n", argc, 3.14159, 12345.678, 0.0001, 1e100, 1.0 / 3, 2.25, -2.5, 0.5);
	printf("%g %g %.17g %a\n", strtod("1.5e3", NULL), atof("-0.125"), 0.1, 1.0);
#endif
	double v[100];
	for (int i = 0; i < 100; i++) v[i] = fabs((double)((i * 7919) % 101 - 50)) / 3 + sqrt((double)i);
	qsort(v, 100, sizeof v[0], compare);
	printf("%ld %d\n", lrint(v[98] * 1000), (int)(v[97] * 1000));
#ifndef NO_X87
	printf("%f %f %f %ld %d %f\n", v[0], v[50], v[99], lrint(v[98]), (int)v[97], (double)(float)v[96]);
#endif
	printf("strings %u\n", strings());
	char *big = malloc(3 << 20);
	if (big == NULL) return 1;
	memset(big, 'x', 3 << 20);
	big = realloc(big, 4 << 20);
	if (big == NULL) return 2;
	printf("%c %c\n", big[0], big[(3 << 20) - 1]);
	free(big);
	struct timespec at;
	printf("%d\n", clock_gettime(CLOCK_MONOTONIC, &at));
	return 42;
}
