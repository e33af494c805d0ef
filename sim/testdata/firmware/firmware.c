// Firmware with a vector table: start-up, SysTick, SVC and PendSV handlers, the cycle counter, and an end by
// semihosting. The exit status is 0 if everything was as it should be, else a bit for each thing that was not.
typedef unsigned int u32;

#define REG(a) (*(volatile u32 *)(a))
#define SYST_CSR REG(0xe000e010)
#define SYST_RVR REG(0xe000e014)
#define SYST_CVR REG(0xe000e018)
#define CPUID REG(0xe000ed00)
#define ICSR REG(0xe000ed04)
#define SHPR3 REG(0xe000ed20)
#define DEMCR REG(0xe000edfc)
#define DWT_CTRL REG(0xe0001000)
#define DWT_CYCCNT REG(0xe0001004)

extern u32 data_start[], data_end[], bss_start[], bss_end[], stack_top[];
extern const u32 data_stored[];

static volatile u32 initial = 0x12345678; // .data
static volatile u32 zero;                 // .bss
static volatile u32 ticks, services, pended, order;

int main(void);

static void semihost(u32 op, const void *arg) {
	register u32 r0 __asm__("r0") = op;
	register const void *r1 __asm__("r1") = arg;
	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void reset(void) {
	const u32 *from = data_stored;
	for (u32 *p = data_start; p < data_end;) *p++ = *from++;
	for (u32 *p = bss_start; p < bss_end;) *p++ = 0;
	u32 block[2] = {0x20026, (u32)main()};
	semihost(0x20, block);
	for (;;) {
	}
}

void systick(void) {
	ticks++;
	ICSR = 1 << 28; // PendSV, which has a lower priority
	order = order * 10 + 1;
}

void pendsv(void) {
	pended++;
	order = order * 10 + 2;
}

void svcall(void) { services++; }

void fault(void) {
	for (;;) {
	}
}

__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
	stack_top, reset, fault, fault, fault, fault, fault, 0, 0, 0, 0, svcall, fault, 0, pendsv, systick,
};

__attribute__((noinline)) static u32 work(u32 n) {
	u32 x = 1;
	for (u32 i = 0; i < n; i++) {
		x = x * 1664525 + 1013904223;
		__asm__ volatile("" : "+r"(x)); // not to be moved across the counter
	}
	return x;
}

volatile u32 result;

int main(void) {
	u32 wrong = 0;
	if (initial != 0x12345678) wrong |= 1;
	if (zero != 0) wrong |= 2;
	if (CPUID >> 4 != 0x410fc24) wrong |= 4;

	DEMCR |= 1 << 24;
	DWT_CYCCNT = 0;
	DWT_CTRL |= 1;
	result = work(100);
	u32 first = DWT_CYCCNT;
	result = work(200);
	u32 second = DWT_CYCCNT - first;
	if (second <= first || second > 2 * first + 50) wrong |= 8;

	__asm__ volatile("svc 0");
	if (services != 1) wrong |= 16;

	SHPR3 = 0x00ff0000; // PendSV at the lowest priority
	SYST_RVR = 4999;
	SYST_CVR = 0;
	u32 start = DWT_CYCCNT;
	SYST_CSR = 7;
	while (ticks < 3) __asm__ volatile("wfi");
	u32 spent = DWT_CYCCNT - start;
	SYST_CSR = 0;
	if (spent < 15000 || spent > 15300) wrong |= 32;
	if (pended != 3 || order != 121212) wrong |= 64;
	return (int)wrong;
}
