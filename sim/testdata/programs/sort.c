// Three ways to sort the same numbers, one of them through a function pointer.
#include "start.h"

enum { N = 200 };

static u32 state = 12345;
static u32 draw(void) { return state = state * 1664525u + 1013904223u; }

static int less(u32 a, u32 b) { return a < b; }
static int less_signed(u32 a, u32 b) { return (int)a < (int)b; }

static void insertion(u32 *v, int n, int (*before)(u32, u32)) {
	for (int i = 1; i < n; i++) {
		u32 x = v[i];
		int j = i;
		for (; j > 0 && before(x, v[j - 1]); j--) {
			v[j] = v[j - 1];
		}
		v[j] = x;
	}
}

static void quick(u32 *v, int low, int high) {
	if (low >= high) {
		return;
	}
	u32 pivot = v[(low + high) / 2];
	int i = low, j = high;
	while (i <= j) {
		while (v[i] < pivot) i++;
		while (v[j] > pivot) j--;
		if (i <= j) {
			u32 t = v[i];
			v[i++] = v[j];
			v[j--] = t;
		}
	}
	quick(v, low, j);
	quick(v, i, high);
}

static void radix(u32 *v, u32 *space, int n) {
	for (int shift = 0; shift < 32; shift += 8) {
		int count[257] = {0};
		for (int i = 0; i < n; i++) count[(v[i] >> shift & 255) + 1]++;
		for (int i = 0; i < 256; i++) count[i + 1] += count[i];
		for (int i = 0; i < n; i++) space[count[v[i] >> shift & 255]++] = v[i];
		for (int i = 0; i < n; i++) v[i] = space[i];
	}
}

static u32 digest(const u32 *v, int n) {
	u32 d = 0;
	for (int i = 0; i < n; i++) d = (d << 5 | d >> 27) ^ v[i];
	return d;
}

static u32 a[N], b[N], c[N], space[N];

int main(void) {
	for (int i = 0; i < N; i++) a[i] = b[i] = c[i] = draw();
	insertion(a, N, less);
	quick(b, 0, N - 1);
	radix(c, space, N);
	put_hex("insertion", digest(a, N));
	put_hex("quick", digest(b, N));
	put_hex("radix", digest(c, N));
	insertion(a, N, less_signed);
	put_hex("signed", digest(a, N));
	return digest(b, N) == digest(c, N) ? 17 : 1;
}
