// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch.hpp>
#include <cmath>
#include <limits>
#include <pomlux/core/dense.hpp>
#include <pomlux/core/dense_kernels.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/rng.hpp>
#include <span>
#include <vector>

namespace {

using namespace pomlux;

Matrix random_matrix(Index rows, Index cols, std::uint64_t index) {
  Rng rng = make_stream(1, "dense_test", index);
  return draw_normals(rng, rows * cols).reshaped(rows, cols);
}

/// A^T B by Eigen, in double precision.
template <typename Scalar>
Matrix reference(const Matrix& a, const std::vector<Scalar>& b, Index m) {
  const Matrix rounded = a.cast<Scalar>().template cast<double>();
  const Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>> columns(
      b.data(), a.rows(), m);
  return rounded.transpose() * columns.template cast<double>();
}

template <typename Scalar>
std::vector<Scalar> entries(const Matrix& matrix) {
  std::vector<Scalar> result;
  for (const double entry : matrix.reshaped()) result.push_back(static_cast<Scalar>(entry));
  return result;
}

}  // namespace

TEMPLATE_TEST_CASE("A packed product is the product, for every shape",
                   "[core][dense]",
                   float,
                   double) {
  const double unit = 0.5 * static_cast<double>(std::numeric_limits<TestType>::epsilon());
  for (const Index r : {1, 3, 191, 192, 193, 400}) {
    for (const Index n : {1, 17, 47, 48, 49, 100}) {
      const bool is_trapezoidal = (r + n) % 2 == 0;
      Matrix a = random_matrix(r, n, 1);
      if (is_trapezoidal) a.triangularView<Eigen::StrictlyLower>().setZero();
      const PackedMatrix<TestType> packed(a);
      REQUIRE(packed.rows() == r);
      REQUIRE(packed.cols() == n);
      REQUIRE(packed.padded_cols() >= n);
      for (const Index m : {1, 5, 8, 24, 25}) {
        const Matrix exact_b = random_matrix(r, m, 2);
        const std::vector<TestType> b = entries<TestType>(exact_b);
        std::vector<TestType> product(static_cast<std::size_t>(m * packed.padded_cols()),
                                      TestType{7});
        packed.transpose_multiply(b, m, product);
        const Matrix expected = reference(a, b, m);
        const Matrix bound = a.cwiseAbs().transpose() * exact_b.cwiseAbs();
        double worst = 0.0;
        for (Index j = 0; j < m; ++j) {
          for (Index i = 0; i < packed.padded_cols(); ++i) {
            const double found = static_cast<double>(
                product[static_cast<std::size_t>(j * packed.padded_cols() + i)]);
            worst = i < n ? std::max(worst, std::abs(found - expected(i, j)) / bound(i, j))
                          : std::max(worst, std::abs(found));
          }
        }
        INFO("r " << r << ", n " << n << ", m " << m << (is_trapezoidal ? ", trapezoidal" : ""));
        REQUIRE(worst <= 1.01 * static_cast<double>(r + 1) * unit);
      }
    }
  }
}

TEST_CASE("A column of a packed product does not depend on the other columns", "[core][dense]") {
  const Matrix a = random_matrix(300, 70, 3);
  const PackedMatrix<float> packed(a);
  const std::vector<float> b = entries<float>(random_matrix(300, 13, 4));
  const auto width = static_cast<std::size_t>(packed.padded_cols());
  std::vector<float> all(13 * width), one(width);
  packed.transpose_multiply(b, 13, all);
  for (std::size_t j = 0; j < 13; ++j) {
    packed.transpose_multiply(std::span(b).subspan(j * 300, 300), 1, one);
    CHECK(std::equal(one.begin(), one.end(), all.begin() + static_cast<std::ptrdiff_t>(j * width)));
  }
}

TEST_CASE("A packed product refuses arrays of other sizes", "[core][dense]") {
  const PackedMatrix<double> packed(Matrix::Identity(4, 4));
  std::vector<double> b(8), product(static_cast<std::size_t>(2 * packed.padded_cols()));
  CHECK_NOTHROW(packed.transpose_multiply(b, 2, product));
  CHECK_THROWS_AS(packed.transpose_multiply(b, 3, product), InvalidArgument);
  product.pop_back();
  CHECK_THROWS_AS(packed.transpose_multiply(b, 2, product), InvalidArgument);
}

TEST_CASE("The levels of the dense product agree", "[core][dense][isa]") {
  // One strip of one sum each: widths differ, so the first row and column are compared.
  constexpr std::size_t kDepth = 57;
  std::vector<double> first;
  for (const Isa level : {Isa::kV3, Isa::kV4}) {
    if (!is_available(level)) continue;
    const detail::StripKernel<double>& kernel = detail::dense_kernels(level).float64;
    std::vector<double> a(kDepth * kernel.width), b(kDepth * kernel.count);
    for (std::size_t k = 0; k < kDepth; ++k) {
      for (std::size_t i = 0; i < kernel.width; ++i)
        a[k * kernel.width + i] = 1.0 / (1.0 + double(k + i));
      for (std::size_t j = 0; j < kernel.count; ++j)
        b[k * kernel.count + j] = 1.0 / (2.0 + double(k * j));
    }
    std::vector<double> out(kernel.width * kernel.count);
    kernel.multiply(a.data(), b.data(), kDepth, out.data(), kernel.width, true);
    const std::vector<double> corner = {out[0], out[1], out[kernel.width], out[kernel.width + 1]};
    if (first.empty()) first = corner;
    CHECK(first == corner);
  }
  CHECK_NOTHROW(detail::dense_kernels(Isa::kBaseline));
}

TEMPLATE_TEST_CASE("Packed columns are multiplied and measured where they lie",
                   "[core][dense]",
                   float,
                   double) {
  const PackedMatrix<TestType> packed(random_matrix(300, 70, 5));
  for (const Index m : {1, 6, 8, 25}) {
    const std::vector<TestType> b = entries<TestType>(random_matrix(300, m, 6));
    PackedColumns<TestType> columns(300, m);
    columns.assign(b);
    const auto size = static_cast<std::size_t>(m * packed.padded_cols());
    std::vector<TestType> plain(size), in_order(size);
    packed.transpose_multiply(b, m, plain);
    packed.transpose_multiply(columns, in_order);
    CHECK(plain == in_order);
    const Vector norms = columns.norms();
    REQUIRE(norms.size() == m);
    for (Index j = 0; j < m; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 300; ++k) {
        const double entry = b[static_cast<std::size_t>(j) * 300 + k];
        sum += entry * entry;
      }
      CHECK_THAT(norms(j), WithinRel(std::sqrt(sum), 1e-13));
    }
  }
  PackedColumns<TestType> other(299, 4);
  std::vector<TestType> product(static_cast<std::size_t>(4 * packed.padded_cols()));
  CHECK_THROWS_AS(packed.transpose_multiply(other, product), InvalidArgument);
  CHECK_THROWS_AS(other.assign(product), InvalidArgument);
  CHECK_THROWS_AS(PackedColumns<TestType>(-1, 2), InvalidArgument);
}

TEST_CASE("Contenders are the intervals that reach the largest lower end", "[core][dense][isa]") {
  Rng rng = make_stream(2, "dense_test");
  for (const Isa level : {Isa::kBaseline, Isa::kV3, Isa::kV4}) {
    if (!is_available(level)) continue;
    CAPTURE(to_string(level));
    for (std::size_t n = 1; n <= 70; ++n) {
      // Multiples of 1/8: every sum is exact, and ends meet.
      std::vector<double> shift(n), rounding(n);
      std::vector<float> product(n);
      for (std::size_t i = 0; i < n; ++i) {
        shift[i] = 0.125 * static_cast<double>(draw_index(rng, 80)) - 20.0;
        product[i] = 0.125F * static_cast<float>(draw_index(rng, 80));
        rounding[i] = 0.125 * static_cast<double>(draw_index(rng, 8));
      }
      constexpr double scale = 2.0;
      double threshold = -kInfinity;
      for (std::size_t i = 0; i < n; ++i) {
        threshold = std::max(threshold, shift[i] + product[i] - rounding[i] * scale);
      }
      std::size_t count = 0, last = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (shift[i] + product[i] + rounding[i] * scale < threshold) continue;
        ++count;
        last = i;
      }
      const detail::Contest found = detail::dense_kernels(level).contest(
          shift.data(), product.data(), rounding.data(), scale, n);
      REQUIRE(found.threshold == threshold);
      REQUIRE(found.count == count);
      REQUIRE(found.last == last);
    }
  }
  const std::vector<double> one = {1.0};
  const std::vector<float> product = {2.0F};
  CHECK(find_contenders(one, product, one, 0.5).threshold == 2.5);
  CHECK(find_contenders(one, product, one, 0.5).count == 1);
  CHECK_THROWS_AS(find_contenders({}, {}, {}, 1.0), InvalidArgument);
  CHECK_THROWS_AS(find_contenders(one, {}, one, 1.0), InvalidArgument);
}
