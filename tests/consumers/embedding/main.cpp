// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdio>
#include <pomlux/acquisition/expected_improvement.hpp>
#include <pomlux/core/optimizer.hpp>
#include <pomlux/estimators/f_lite.hpp>
#include <pomlux/gp/gaussian_process.hpp>

double measure(double x) { return std::sin(3.0 * x) - 0.1 * x * x; }  // put your experiment here

int main() {
  const pomlux::Index points[] = {301};
  const auto domain = pomlux::Domain::grid(
      pomlux::Vector::Constant(1, -3.0), pomlux::Vector::Constant(1, 3.0), points);
  auto kernel = pomlux::make_kernel(pomlux::KernelType::kMatern52, pomlux::Vector::Ones(1), 1.0);
  auto model = std::make_unique<pomlux::GaussianProcess>(1, std::move(kernel));
  auto rule = std::make_unique<pomlux::ExpectedImprovement>();
  pomlux::Optimizer optimizer(domain, std::move(model), std::move(rule), {.seed = 7, .initial = 5});
  for (int i = 0; i < 20; ++i) {
    const auto suggestion = optimizer.ask();  // evaluates nothing
    if (!suggestion) break;                   // every candidate is used
    optimizer.tell(*suggestion, measure(suggestion->point(0)));
  }
  const pomlux::Incumbent best = optimizer.best_by_model();
  const pomlux::Pom pom = optimizer.pom(pomlux::FLite());
  std::printf(
      "best x = %.2f: %.3f +- %.3f\n", domain.point(best.candidate)(0), best.value, best.stddev);
  std::printf("P[it is the optimum] = %.2f, ", pom.probabilities(best.candidate));
  std::printf("entropy %.2f of %.2f nats\n", pom.entropy(), std::log(301.0));
}
