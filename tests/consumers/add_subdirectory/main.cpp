// SPDX-License-Identifier: MIT
// A program that needs two libraries of Pomlux to link, and all headers to be free of warnings.
#include <pomlux/pomlux.hpp>

int main() {
  pomlux::Rng rng = pomlux::make_stream(1, "consumer");
  const pomlux::Vector value =
      pomlux::TestFunction("drop_wave").evaluate(pomlux::Points::Zero(1, 2), rng);
  return value.size() == 1 && value(0) == 1.0 ? 0 : 1;
}
