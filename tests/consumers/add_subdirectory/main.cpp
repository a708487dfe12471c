// SPDX-License-Identifier: MIT
// A program that needs two libraries of Pomlux to link, and all headers to be free of warnings.
#include <pomlux/pomlux.hpp>

int main() {
  // Two arms one standard deviation apart: kappa is half way between them.
  const pomlux::Pom pom = pomlux::f_lite(pomlux::Vector{{0.0, 1.0}}, pomlux::Vector{{1.0, 1.0}});
  const double distance = pom.kappa.value_or(0.0) - 0.5;
  return distance * distance < 1e-18 ? 0 : 1;
}
