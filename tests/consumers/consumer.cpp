// SPDX-License-Identifier: MIT
// A user's program that needs every library of Pomlux to link. Exit 0 if the answers are right.
#include <cmath>     // std::abs
#include <iostream>  // what went wrong
#include <pomlux/pomlux.hpp>

int main() {
  // Two arms one standard deviation apart: kappa is half way between them.
  const pomlux::Vector mean{{0.0, 1.0}};
  const pomlux::Vector stddev{{1.0, 1.0}};
  const pomlux::Pom pom = pomlux::f_lite(mean, stddev);
  const pomlux::Matrix gram =
      pomlux::make_kernel(pomlux::KernelType::kMatern52, pomlux::Vector::Ones(1), 2.0)
          ->matrix(pomlux::Points::Zero(1, 1));
  const bool is_right = std::abs(pom.kappa.value_or(0.0) - 0.5) < 1e-9 && gram(0, 0) == 4.0 &&
                        pomlux::expected_improvement(1.0, 0.0, 0.5) == 0.5 &&
                        pomlux::TestFunction("drop_wave").optimum() == 1.0;
  if (!is_right) std::cerr << "pomlux " << pomlux::kVersion << " gives wrong answers\n";
  return is_right ? 0 : 1;
}
