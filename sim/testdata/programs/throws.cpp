// Exceptions, streams and containers of the C++ library.
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

int main() {
	std::map<std::string, int> count;
	std::istringstream in("the quick brown fox jumps over the lazy dog at the end");
	for (std::string word; in >> word;) count[word]++;
	for (const auto &entry : count) std::cout << entry.first << ' ' << entry.second << '\n';
	std::cout.precision(12);
	std::cout << 2.0 / 3 << ' ' << 1e300 * 10 << '\n';
	try {
		count.at("absent");
	} catch (const std::out_of_range &) {
		std::cout << "caught\n";
		return 3;
	}
	return 1;
}
