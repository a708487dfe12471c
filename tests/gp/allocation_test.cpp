// SPDX-License-Identifier: MIT
// A program of its own, as it counts what all of it allocates: malloc, where both operator new and
// Eigen arrive. Needs glibc, and no sanitizer with a malloc of its own.
#include <atomic>
#include <catch.hpp>
#include <cstdlib>
#include <pomlux/core/parallel.hpp>
#include <pomlux/gp/likelihood.hpp>

#include "gp_cases.hpp"

namespace {

std::atomic<int> num_allocations{0};
std::atomic<int> num_large{0};
std::atomic<std::size_t> large_size{0};  // bytes; 0: none is large

void count_allocation(std::size_t size) {
  ++num_allocations;
  if (large_size != 0 && size >= large_size) ++num_large;
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t size) noexcept;
void* __libc_realloc(void* memory, std::size_t size) noexcept;

void* malloc(std::size_t size) noexcept {
  count_allocation(size);
  return __libc_malloc(size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  count_allocation(size);
  return __libc_realloc(memory, size);
}
}

namespace pomlux {
namespace {

using namespace test;

std::unique_ptr<Kernel> make_composite(bool is_sum) {
  std::vector<std::unique_ptr<Kernel>> terms;
  terms.push_back(make_kernel(KernelType::kMatern52, Vector::Constant(3, 0.4), 1.0));
  terms.push_back(make_kernel(KernelType::kLinear, Vector::Constant(3, 2.0), 0.5));
  terms.push_back(make_isotropic(KernelType::kExponentialL1, 0.7, 1.2));
  return is_sum ? make_sum_kernel(std::move(terms)) : make_product_kernel(std::move(terms));
}

std::vector<std::unique_ptr<Kernel>> all_kernels() {
  std::vector<std::unique_ptr<Kernel>> result;
  for (const KernelType type : kAllKernels) {
    result.push_back(make_isotropic(type, 0.5, 1.0));
    result.push_back(make_kernel(type, Vector::Constant(3, 0.5), 1.0));
  }
  result.push_back(make_composite(true));
  result.push_back(make_composite(false));
  return result;
}

struct Data {
  Points x;
  Vector y;
};

Data wave(Index n, Index d) {
  Rng rng = make_stream(0, "allocation");
  Data data{random_points(n, d, rng), 0.1 * draw_normals(rng, n)};
  data.y.array() += (3.0 * data.x.col(0).array()).sin();
  return data;
}

TEST_CASE("An allocation is counted", "[gp][allocation]") {
  const int before = num_allocations;
  const Vector some = Vector::Ones(1000);
  const auto other = std::make_unique<double>(some(0));
  CHECK(num_allocations - before >= 2);
  CHECK(*other == 1.0);
}

TEST_CASE("Evaluations of the likelihood allocate nothing after the first", "[gp][allocation]") {
  const Data data = wave(37, 3);
  const Vector noise = Vector::Constant(37, 0.3);
  for (const std::unique_ptr<Kernel>& kernel : all_kernels()) {
    LikelihoodWorkspace workspace;
    Vector parameters = kernel->parameters();
    for (int i = 0; i < 4; ++i) {
      const int before = num_allocations;
      parameters *= 1.01;
      kernel->set_parameters(parameters);
      const Likelihood& profile =
          profile_log_marginal_likelihood(*kernel, noise, data.x, data.y, workspace);
      const double sum = profile.value + profile.kernel_gradient.sum();
      const Likelihood& given =
          log_marginal_likelihood(*kernel, 0.1, noise, data.x, data.y, workspace);
      const int count = num_allocations - before;
      CAPTURE(kernel->parameter_names().size(), i);
      CHECK((i == 0) == (count > 0));
      CHECK(std::isfinite(sum + given.value));
      CHECK(given.jitter == 0.0);
    }
  }
}

TEST_CASE("A fit allocates no array of n numbers after its first evaluation", "[gp][allocation]") {
  constexpr Index kMany = 600;  // more bytes than any array of the search itself
  const Data data = wave(kMany, 2);
  const auto allocations_with = [&](int max_iterations, FitReport& report) {
    GaussianProcess gp(2,
                       make_kernel(KernelType::kMatern52, Vector::Constant(2, 3.0), 3.0),
                       {.noise_stddev = 0.5, .fit = {.max_iterations = max_iterations}});
    add_all(gp, data.x, data.y);
    Rng rng = make_stream(0, "fit");
    num_large = 0;
    large_size = kMany * sizeof(double);
    report = gp.fit(rng);
    large_size = 0;
    return num_large.load();
  };
  with_threads(1, [&] {
    FitReport brief, thorough;
    const int few = allocations_with(1, brief);
    const int many = allocations_with(100, thorough);
    CHECK(few > 0);
    CHECK(many == few);
    CHECK(brief.starts == thorough.starts);
    CHECK(thorough.evaluations >= brief.evaluations + 5);
  });
}

}  // namespace
}  // namespace pomlux
