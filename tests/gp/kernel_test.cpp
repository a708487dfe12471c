// SPDX-License-Identifier: MIT
#include <catch.hpp>
#include <cmath>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/linalg.hpp>
#include <pomlux/gp/kernel.hpp>
#include <pomlux/gp/scratch.hpp>

#include "gp_cases.hpp"

namespace pomlux {
namespace {

using namespace test;

enum class Composition { kNone, kSum, kProduct, kAdditive };

struct Variant {
  KernelType type;
  bool is_ard;
  Composition composition = Composition::kNone;
  [[nodiscard]] std::string name() const {
    const std::string base = std::string(to_string(type)) + (is_ard ? " ard" : "");
    if (composition == Composition::kNone) return base;
    if (composition == Composition::kAdditive) return "additive " + base;
    return base + (composition == Composition::kSum ? " + others" : " * others");
  }
  [[nodiscard]] bool is_stationary() const {
    return type != KernelType::kLinear && composition == Composition::kNone;
  }
};

std::vector<Variant> all_variants() {
  std::vector<Variant> result;
  for (const KernelType type : kAllKernels) {
    result.push_back({type, false});
    result.push_back({type, true});
  }
  for (const Composition composition : {Composition::kSum, Composition::kProduct}) {
    result.push_back({KernelType::kMatern52, true, composition});
    result.push_back({KernelType::kLinear, false, composition});
  }
  result.push_back({KernelType::kSquaredExponential, true, Composition::kAdditive});
  result.push_back({KernelType::kExponentialL1, true, Composition::kAdditive});
  return result;
}

std::unique_ptr<Kernel> make_variant(const Variant& variant, double amplitude) {
  Vector lengths = Vector::Constant(1, 0.7);
  if (variant.is_ard) lengths = Eigen::Vector3d(0.4, 0.9, 2.0);
  if (variant.composition == Composition::kAdditive) {
    return make_additive_kernel(variant.type, lengths, amplitude);
  }
  std::unique_ptr<Kernel> plain = make_kernel(variant.type, lengths, amplitude);
  if (variant.composition == Composition::kNone) return plain;
  std::vector<std::unique_ptr<Kernel>> terms;
  terms.push_back(std::move(plain));
  terms.push_back(make_isotropic(KernelType::kSquaredExponential, 1.1, 0.6));
  terms.push_back(make_isotropic(KernelType::kLinear, 2.0, 0.9));
  return variant.composition == Composition::kSum ? make_sum_kernel(std::move(terms))
                                                  : make_product_kernel(std::move(terms));
}

TEST_CASE("Every kernel is symmetric, positive semi-definite and consistent", "[gp][kernel]") {
  Rng rng = make_stream(1, "kernel_contract");
  const Points x = random_points(30, 3, rng);
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name());
    const std::unique_ptr<Kernel> kernel = make_variant(variant, 1.3);
    const Matrix gram = kernel->matrix(x);
    CHECK(same_bits(gram, gram.transpose()));
    CHECK((gram - kernel->matrix(x, x)).cwiseAbs().maxCoeff() <= 1e-15 * gram.maxCoeff());
    CHECK(same_bits(gram.diagonal(), kernel->diagonal(x)));
    const Vector eigenvalues = symmetric_eigen(gram).values;
    CHECK(eigenvalues(0) >= -30 * 2.3e-16 * eigenvalues(29));
    if (variant.is_stationary()) {
      CHECK((gram.diagonal().array() == 1.3 * 1.3).all());
      CHECK((gram.array() <= 1.3 * 1.3).all());
    }
  }
}

TEST_CASE("Every kernel's gradient for its parameters agrees with differences", "[gp][kernel]") {
  Rng rng = make_stream(2, "kernel_contract");
  const Points x = random_points(9, 3, rng);
  const Points noise = random_points(9, 9, rng);
  const Matrix weights = noise + noise.transpose();
  const double step = 1e-5;
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name());
    const std::unique_ptr<Kernel> kernel = make_variant(variant, 0.8);
    const Vector parameters = kernel->parameters();
    const Vector gradient = kernel->contract_gradient(x, weights);
    REQUIRE(gradient.size() == parameters.size());
    REQUIRE(kernel->parameter_names().size() == static_cast<std::size_t>(parameters.size()));
    const std::unique_ptr<Kernel> moved = kernel->clone();
    for (Index p = 0; p < parameters.size(); ++p) {
      Vector shifted = parameters;
      shifted(p) = parameters(p) * std::exp(step);
      moved->set_parameters(shifted);
      const double above = weights.cwiseProduct(moved->matrix(x)).sum();
      shifted(p) = parameters(p) * std::exp(-step);
      moved->set_parameters(shifted);
      const double below = weights.cwiseProduct(moved->matrix(x)).sum();
      // Differences: step² truncation, 1e-16 / step rounding, sums of 81 terms.
      CHECK_THAT(gradient(p), WithinAbs((above - below) / (2.0 * step), 1e-8));
    }
  }
}

TEST_CASE("What a kernel keeps gives its matrix and gradient", "[gp][kernel]") {
  Rng rng = make_stream(7, "kernel_contract");
  Scratch scratch;
  KernelValues kept;
  for (const Index n : {1, 9, 8}) {
    const Points x = random_points(n, 3, rng);
    const Matrix weights = random_points(n, n, rng);
    for (const Variant& variant : all_variants()) {
      CAPTURE(variant.name(), n);
      const std::unique_ptr<Kernel> kernel = make_variant(variant, 0.8);
      Matrix lower(n, n);
      kernel->write_lower_keeping(x, lower, kept, scratch);
      const Matrix expected = kernel->matrix(x).triangularView<Eigen::Lower>();
      CHECK(same_bits(lower.triangularView<Eigen::Lower>().toDenseMatrix(), expected));
      Vector gradient(kernel->num_parameters());
      kernel->write_kept_gradient(x, weights, kept, gradient, scratch);
      const Vector plain = kernel->contract_gradient(x, weights);
      CHECK((gradient - plain).cwiseAbs().maxCoeff() <= 1e-13 * plain.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("Every kernel can be put into other units", "[gp][kernel]") {
  Rng rng = make_stream(5, "kernel_contract");
  const Points x = random_points(6, 3, rng);
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name());
    const std::unique_ptr<Kernel> kernel = make_variant(variant, 0.8);
    const Matrix before = kernel->matrix(x);
    kernel->set_parameters(kernel->scaled_parameters(30.0));
    const Matrix expected = 900.0 * before;
    CHECK((kernel->matrix(x) - expected).cwiseAbs().maxCoeff() <= 1e-14 * expected.maxCoeff());
  }
}

TEST_CASE("Sums and products are those of their terms' matrices", "[gp][kernel]") {
  Rng rng = make_stream(6, "kernel_contract");
  const Points x = random_points(5, 2, rng);
  const Points y = random_points(4, 2, rng);
  const auto terms = [] {
    std::vector<std::unique_ptr<Kernel>> result;
    result.push_back(make_isotropic(KernelType::kMatern32, 0.5, 1.5));
    result.push_back(make_isotropic(KernelType::kLinear, 2.0, 0.0));
    return result;
  };
  const Matrix a = terms()[0]->matrix(x, y);
  const Matrix b = terms()[1]->matrix(x, y);
  CHECK(same_bits(make_sum_kernel(terms())->matrix(x, y), a + b));
  CHECK(same_bits(make_product_kernel(terms())->matrix(x, y), a.cwiseProduct(b)));
  const std::vector<std::string> names = make_sum_kernel(terms())->parameter_names();
  CHECK(names ==
        std::vector<std::string>{
            "term_0.length_scale", "term_0.amplitude", "term_1.length_scale", "term_1.amplitude"});
  CHECK_THROWS_AS(make_sum_kernel({}), InvalidArgument);
  std::vector<std::unique_ptr<Kernel>> missing(1);
  CHECK_THROWS_AS(make_product_kernel(std::move(missing)), InvalidArgument);
}

TEST_CASE("A linear kernel of many coordinates is the sum of products", "[gp][kernel]") {
  Rng rng = make_stream(7, "kernel_contract");
  for (const Index d : {63, 64, 300}) {
    CAPTURE(d);
    const Points x = random_points(70, d, rng);
    const Points y = random_points(5, d, rng);
    const std::unique_ptr<Kernel> kernel = make_isotropic(KernelType::kLinear, 2.0, 0.5);
    const Matrix expected = (0.25 * x * y.transpose()).array() + 0.25;
    const Matrix k = kernel->matrix(x, y);
    CHECK((k - expected).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(same_bits(kernel->matrix(y, x).transpose(), k));
    for (const Index rows : {1, 17})
      CHECK(same_bits(kernel->matrix(x.topRows(rows), y), k.topRows(rows)));
    Matrix lower(70, 70);
    kernel->write_lower(x, lower);
    const Matrix whole = kernel->matrix(x);
    CHECK(same_bits(whole, whole.transpose()));
    CHECK(same_bits(lower.triangularView<Eigen::Lower>().toDenseMatrix(),
                    whole.triangularView<Eigen::Lower>().toDenseMatrix()));
    CHECK((kernel->diagonal(x) - whole.diagonal()).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("An additive kernel is the mean of kernels of one coordinate", "[gp][kernel]") {
  Points x(1, 2), y(1, 2);
  x << 0.0, 0.0;
  y << 0.5, 3.0;
  const Eigen::Vector2d lengths(0.5, 2.0);
  const auto kernel = make_additive_kernel(KernelType::kSquaredExponential, lengths, 2.0);
  const double expected = 4.0 * (std::exp(-0.5) + std::exp(-0.5 * 2.25)) / 2.0;
  CHECK_THAT(kernel->matrix(x, y)(0, 0), WithinRel(expected, 1e-14));
  for (const KernelType type : kAllKernels) {
    if (type == KernelType::kLinear) continue;
    const Matrix each =
        make_kernel(type, Vector::Constant(1, 0.5), 1.0)->matrix(x.col(0), y.col(0)) +
        make_kernel(type, Vector::Constant(1, 2.0), 1.0)->matrix(x.col(1), y.col(1));
    CHECK(same_bits(make_additive_kernel(type, lengths, 2.0)->matrix(x, y), 2.0 * each));
  }
  CHECK_THAT(kernel->diagonal(x)(0), WithinRel(4.0, 1e-15));
  CHECK_THROWS_WITH(make_additive_kernel(KernelType::kLinear, lengths, 1.0),
                    ContainsSubstring("linear, which is additive by itself"));
  CHECK_THROWS_WITH(kernel->diagonal(Points::Zero(1, 3)), ContainsSubstring("3"));
}

TEST_CASE("Only one term of a product carries the scale of the values", "[gp][kernel]") {
  std::vector<std::unique_ptr<Kernel>> terms;
  terms.push_back(make_isotropic(KernelType::kMatern32, 0.5, 1.5));
  terms.push_back(make_isotropic(KernelType::kSquaredExponential, 0.5, 1.5));
  const std::unique_ptr<Kernel> product = make_product_kernel(std::move(terms));
  const std::vector<ParameterScale> scales =
      product->parameter_scales(line({0, 1, 3}), ValueScale{5.0, 5.0});
  REQUIRE(scales.size() == 4);
  CHECK(scales[0].is_identified);
  CHECK(scales[1].is_identified);
  CHECK(scales[2].is_identified);
  CHECK_FALSE(scales[3].is_identified);
}

TEST_CASE("Only the lower triangle of the weights is read", "[gp][kernel]") {
  Rng rng = make_stream(3, "kernel_contract");
  const Points x = random_points(6, 3, rng);
  const Points noise = random_points(6, 6, rng);
  const Matrix weights = noise + noise.transpose();
  const Matrix lower = weights.triangularView<Eigen::Lower>();
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name());
    const std::unique_ptr<Kernel> kernel = make_variant(variant, 0.8);
    const Vector full = kernel->contract_gradient(x, weights);
    CHECK((full - kernel->contract_gradient(x, lower)).cwiseAbs().maxCoeff() <= 1e-14);
  }
}

TEST_CASE("Every kernel's gradient for its input agrees with differences", "[gp][kernel]") {
  Rng rng = make_stream(4, "kernel_contract");
  const Points y = random_points(7, 3, rng);
  const Points point = random_points(1, 3, rng);
  const double step = 1e-6;
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name());
    const std::unique_ptr<Kernel> kernel = make_variant(variant, 0.8);
    const Points gradient = kernel->input_gradient(point.row(0), y);
    Vector values(7);
    Points written(7, 3);
    kernel->write_input_gradient(point.row(0), y, values, written);
    CHECK(written == gradient);
    CHECK(values == kernel->matrix(y, point).col(0));
    for (Index k = 0; k < 3; ++k) {
      Points above = point;
      Points below = point;
      above(0, k) += step;
      below(0, k) -= step;
      const Matrix slope = (kernel->matrix(above, y) - kernel->matrix(below, y)) / (2.0 * step);
      CHECK((gradient.col(k) - slope.row(0).transpose()).cwiseAbs().maxCoeff() <= 1e-8);
    }
  }
}

TEST_CASE("Gradients at a kink are 0, not NaN", "[gp][kernel]") {
  const Points x = line({0.3, 0.3});
  for (const KernelType type : {KernelType::kMatern12, KernelType::kExponentialL1}) {
    const std::unique_ptr<Kernel> kernel = make_isotropic(type, 0.5, 1.0);
    CHECK(kernel->input_gradient(x.row(0), x).cwiseAbs().maxCoeff() == 0.0);
    CHECK(kernel->contract_gradient(x, Matrix::Ones(2, 2))(0) == 0.0);
  }
}

TEST_CASE("Almost equal inputs keep their correlation", "[gp][kernel]") {
  Points a(1, 3), b(1, 3);
  a << 39.16, 34.78, 38.4;
  b << 39.15999999, 34.78, 38.4;
  for (const KernelType type :
       {KernelType::kMatern52, KernelType::kMatern32, KernelType::kMatern12}) {
    const std::unique_ptr<Kernel> kernel = make_isotropic(type, 0.5, 1.5);
    CHECK(kernel->matrix(a, a)(0, 0) == 2.25);
    const double near = kernel->matrix(a, b)(0, 0);
    CHECK(near <= 2.25);
    CHECK_THAT(near, WithinAbs(2.25, 1e-6));
  }
}

TEST_CASE("Inputs far from zero keep their distance", "[gp][kernel]") {
  const std::unique_ptr<Kernel> kernel = make_isotropic(KernelType::kSquaredExponential, 0.2, 1.0);
  const double value = kernel->matrix(line({1000000.1}), line({1000000.3}))(0, 0);
  CHECK_THAT(value, WithinAbs(std::exp(-0.5), 1e-6));
}

TEST_CASE("Inputs too far apart to square are uncorrelated", "[gp][kernel]") {
  for (const Variant& variant : all_variants()) {
    if (!variant.is_stationary()) continue;
    CAPTURE(variant.name());
    const std::unique_ptr<Kernel> kernel = make_variant(variant, 1.0);
    Points x = Points::Zero(2, 3);
    x.row(0).setConstant(1.7e308);
    x.row(1).setConstant(-1.7e308);
    const Matrix gram = kernel->matrix(x);
    CHECK(gram.diagonal() == Vector::Ones(2));
    CHECK(gram(1, 0) >= 0.0);
    CHECK(gram(1, 0) <= 1e-300);
    CHECK(kernel->contract_gradient(x, Matrix::Ones(2, 2)).allFinite());
    CHECK(kernel->input_gradient(x.row(0), x).allFinite());
  }
}

TEST_CASE("Parameters out of range are refused by name and change nothing", "[gp][kernel]") {
  const std::unique_ptr<Kernel> kernel = make_variant({KernelType::kMatern52, true}, 1.0);
  const Vector before = kernel->parameters();
  Vector values = before;
  values(1) = -0.2;
  CHECK(mentions(refusal([&] { kernel->set_parameters(values); }), {"length_scale_1", "-0.2"}));
  values(1) = std::nan("");
  CHECK_THROWS_AS(kernel->set_parameters(values), InvalidArgument);
  CHECK_THROWS_AS(kernel->set_parameters(before.head(2)), InvalidArgument);
  CHECK(kernel->parameters() == before);
  CHECK(mentions(refusal([&] { make_isotropic(KernelType::kMatern52, 1.0, 0.0); }),
                 {"amplitude is 0", "matern52"}));
  CHECK_NOTHROW(make_isotropic(KernelType::kLinear, 1.0, 0.0));
  CHECK_THROWS_AS(make_isotropic(KernelType::kLinear, 1.0, -1.0), InvalidArgument);
  CHECK_THROWS_AS(make_kernel(KernelType::kMatern52, Vector(), 1.0), InvalidArgument);
}

TEST_CASE("Points that do not fit a kernel are refused with both sizes", "[gp][kernel]") {
  const Points two = Points::Zero(2, 2);
  const Points three = Points::Zero(2, 3);
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name());
    const std::unique_ptr<Kernel> kernel = make_variant(variant, 1.0);
    CHECK(mentions(refusal([&] { (void)kernel->matrix(two, three); }), {"size 2", "size 3"}));
    CHECK_THROWS_AS(kernel->input_gradient(two.row(0), three), InvalidArgument);
    if (!variant.is_ard) continue;
    CHECK_THROWS_AS(kernel->matrix(two), InvalidArgument);
    CHECK_THROWS_AS(kernel->diagonal(two), InvalidArgument);
    CHECK_THROWS_AS(kernel->contract_gradient(two, Matrix::Ones(2, 2)), InvalidArgument);
  }
}

TEST_CASE("Parameter scales follow the data", "[gp][kernel]") {
  const Points x = line({0.0, 0.25, 2.0});
  const ValueScale values{0.5, 3.0};
  const std::vector<ParameterScale> scales =
      make_isotropic(KernelType::kMatern52, 1.0, 1.0)->parameter_scales(x, values);
  REQUIRE(scales.size() == 2);
  CHECK_THAT(scales[0].lower, WithinRel(0.025, 1e-12));   // a tenth of the smallest distance
  CHECK_THAT(scales[0].upper, WithinRel(2000.0, 1e-12));  // 1e3 extents
  CHECK_THAT(scales[1].lower, WithinRel(0.0005, 1e-12));
  CHECK_THAT(scales[1].upper, WithinRel(3000.0, 1e-12));
  const Points close = line({0.0, 1e-9, 2.0});
  CHECK_THAT(
      make_isotropic(KernelType::kMatern52, 1.0, 1.0)->parameter_scales(close, values)[0].lower,
      WithinRel(2e-4, 1e-12));  // 1e-4 extents
  const std::vector<ParameterScale> linear =
      make_isotropic(KernelType::kLinear, 1.0, 1.0)->parameter_scales(line({3.0, -3.0}), values);
  CHECK_THAT(linear[0].lower, WithinRel(0.006, 1e-12));
  CHECK_THAT(linear[0].upper, WithinRel(6000.0, 1e-12));

  Points flat(3, 3);  // no difference in the middle coordinate
  flat << 0, 5, 1, 1, 5, 2, 2, 5, 3;
  const std::vector<ParameterScale> ard =
      make_variant({KernelType::kMatern52, true}, 1.0)->parameter_scales(flat, values);
  REQUIRE(ard.size() == 4);
  CHECK(ard[0].is_identified);
  CHECK_FALSE(ard[1].is_identified);
  for (const Variant& variant : all_variants()) {
    CAPTURE(variant.name());
    for (const ParameterScale& scale : make_variant(variant, 1.0)->parameter_scales(flat, values)) {
      if (!scale.is_identified) continue;
      CHECK(0.0 < scale.lower);
      CHECK(scale.lower <= scale.low);
      CHECK(scale.low <= scale.typical);
      CHECK(scale.typical <= scale.high);
      CHECK(scale.high <= scale.upper);
    }
  }
}

}  // namespace
}  // namespace pomlux
