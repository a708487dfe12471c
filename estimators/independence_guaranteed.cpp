// SPDX-License-Identifier: MIT
#include <algorithm>  // std::min
#include <array>      // block buffers
#include <cmath>      // std::exp
#include <numbers>    // pi
#include <pomlux/core/normal.hpp>
#include <pomlux/core/parallel.hpp>
#include <pomlux/estimators/independence_guaranteed.hpp>
#include <pomlux/estimators/max_quadrature.hpp>
#include <vector>  // nodes

namespace pomlux {
namespace {

/// Running values of one block of arms while the nodes go by from -inf to inf.
struct RunningBlock {
  std::array<double, kArmBlock> argument, cdf, log_cdf, last_cdf, last_product, sum;

  void start() {
    last_cdf.fill(0.0);
    last_product.fill(0.0);
    sum.fill(0.0);
  }
  /// Adds the trapezoid that ends where arm j has cdf and the others the product.
  void step(std::size_t j, double product, double new_cdf) {
    sum[j] += 0.5 * (product + last_product[j]) * (new_cdf - last_cdf[j]);
    last_product[j] = product;
    last_cdf[j] = new_cdf;
  }
};

}  // namespace

Pom guaranteed_independence(const VectorRef& mean,
                            const VectorRef& stddev,
                            const MarginalSummary& summary,
                            double epsilon,
                            int max_nodes) {
  constexpr std::string_view where = "independence";
  if (summary.certain > 0) {
    fail(where,
         "quadrature: guaranteed needs every stddev > 0; " + format_number(summary.certain) +
             " are 0; use quadrature: spectral");
  }
  const double bounded = std::min(epsilon, 0.25);
  const double margin = -normal_quantile(2.0 * bounded) * summary.largest_stddev;
  const double width = summary.highest_mean - summary.lowest_mean + 2.0 * margin;
  const double count = std::ceil(width / (bounded * 2.0 * std::sqrt(2.0 * std::numbers::pi) *
                                          summary.smallest_stddev)) +
                       2.0;
  if (!(count <= max_nodes)) {
    fail(where,
         "quadrature: guaranteed needs " + format_number(count) + " nodes for epsilon " +
             format_number(bounded) + ", more than max_nodes = " + format_number(max_nodes) +
             "; raise either or use quadrature: spectral");
  }
  // f_1 ... f_{n-1}; with n = 2 the single node is the lower end.
  const auto inner = static_cast<std::size_t>(count) - 1;
  const double step = inner > 1 ? width / static_cast<double>(inner - 1) : 0.0;
  std::vector<QuadratureNode> nodes(inner);
  for (std::size_t i = 0; i < inner; ++i) {
    nodes[i] = {summary.lowest_mean - margin, step * static_cast<double>(i), 0.0};
  }
  const MaxIntegrand integrand(mean, stddev, summary);
  const std::vector<double> log_cdf = integrand.distribution(nodes, false).log_cdf;

  Pom pom;
  pom.probabilities.resize(mean.size());
  parallel_for(mean.size(), kArmBlock, [&](Index begin, Index end) {
    RunningBlock block;
    block.start();
    const auto size = static_cast<std::size_t>(end - begin);
    for (std::size_t i = 0; i < inner; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        const Index arm = begin + static_cast<Index>(j);
        block.argument[j] = ((nodes[i].base - mean(arm)) + nodes[i].offset) / stddev(arm);
      }
      normal_cdf(std::span(block.argument).first(size), std::span(block.cdf).first(size));
      log_normal_cdf(std::span(block.argument).first(size), std::span(block.log_cdf).first(size));
      for (std::size_t j = 0; j < size; ++j) {
        block.step(j, std::exp(std::min(log_cdf[i] - block.log_cdf[j], 0.0)), block.cdf[j]);
      }
    }
    for (std::size_t j = 0; j < size; ++j) {
      block.step(j, 1.0, 1.0);
      pom.probabilities(begin + static_cast<Index>(j)) = block.sum[j];
    }
  });
  pom.probabilities /= pom.probabilities.sum();
  pom.iterations = static_cast<int>(inner);
  pom.numerical_error = bounded;
  pom.status = Status::kConverged;
  return pom;
}

}  // namespace pomlux
