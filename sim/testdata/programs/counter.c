// A function with data that can be written.
static unsigned counter = 5, table[4] = {1, 2, 3, 4};

unsigned count(unsigned n) {
	counter += n;
	table[n & 3] += counter;
	return counter;
}

int main(void) { return (int)(count(2) + table[2]); }
