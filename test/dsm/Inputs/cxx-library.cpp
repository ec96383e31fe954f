// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A C++ library without checks: its constructor uses containers and streams
// before the runtime begins, and it shares std::cout, exceptions and strings
// with the program.

#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

namespace {

std::map<int, std::string> Names;

struct Fill {
  Fill() {
    for (int I = 0; I != 100; ++I) {
      std::ostringstream O;
      O << "name " << I;
      Names[I] = O.str();
    }
    std::cout << "library has " << Names.size() << std::endl;
  }
} Filled;

} // namespace

std::string nameOf(int Key) {
  auto I = Names.find(Key);
  if (I == Names.end())
    throw std::out_of_range("no name " + std::to_string(Key));
  return I->second;
}

void print(std::ostream &O, int Key) { O << '<' << nameOf(Key) << '>'; }
