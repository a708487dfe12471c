// SPDX-License-Identifier: MIT
#include <pomlux/core/errors.hpp>
#include <pomlux/estimators/f_lite_derivative.hpp>

#include "catch.hpp"
#include "oracle.hpp"

using pomlux::f_lite;
using pomlux::FLiteDerivative;
using pomlux::FLiteOptions;
using pomlux::Index;
using pomlux::Matrix;
using pomlux::Vector;
using namespace pomlux::test;

namespace {

const FLiteOptions kTight{.epsilon = 1e-15};

/// Within 1e-11 of the largest entry of the same column, as the oracle's README says.
void check_columns(const Matrix& actual, const Matrix& expected) {
  for (Index z = 0; z < expected.cols(); ++z) {
    const double scale = expected.col(z).cwiseAbs().maxCoeff();
    CAPTURE(z, scale);
    CHECK((actual.col(z) - expected.col(z)).cwiseAbs().maxCoeff() <= 1e-11 * scale);
  }
}

}  // namespace

TEST_CASE("F-LITE's Jacobians, products and gradients agree with the oracle",
          "[estimators][f_lite_derivative]") {
  for (const nlohmann::json& c : load_oracle("flite_gradients.json")) {
    CAPTURE(c.at("name").get<std::string>());
    const Vector mean = to_vector(c.at("mu")), stddev = to_vector(c.at("sigma"));
    const Index n = mean.size();
    const FLiteDerivative d(mean, stddev, kTight);
    const Matrix by_mean = to_points(c.at("dq_dmu")), by_stddev = to_points(c.at("dq_dsigma"));
    check_columns(d.jacobian_mean(), by_mean);
    check_columns(d.jacobian_stddev(), by_stddev);
    check_columns(d.sensitivity(), to_vector(c.at("h")));
    check_columns(d.kappa_gradient().mean, to_vector(c.at("dkappa_dmu")));
    check_columns(d.kappa_gradient().stddev, to_vector(c.at("dkappa_dsigma")));
    check_columns(d.entropy_gradient().mean, to_vector(c.at("dentropy_dmu")));
    check_columns(d.entropy_gradient().stddev, to_vector(c.at("dentropy_dsigma")));
    for (Index z = 0; z < n; ++z) {
      check_columns(d.jvp(Vector::Unit(n, z), Vector::Zero(n)), by_mean.col(z));
      check_columns(d.jvp(Vector::Zero(n), Vector::Unit(n, z)), by_stddev.col(z));
      check_columns(d.vjp(Vector::Unit(n, z)).mean, by_mean.row(z).transpose());
      check_columns(d.vjp(Vector::Unit(n, z)).stddev, by_stddev.row(z).transpose());
    }
  }
}

TEST_CASE("F-LITE's products agree with finite differences", "[estimators][f_lite_derivative]") {
  const Index n = 7;
  const Vector mean = Vector::LinSpaced(n, -1.0, 2.0);
  const Vector stddev = Vector::LinSpaced(n, 1.5, 0.3);
  const Vector a = Vector::LinSpaced(n, 1.0, -0.5), b = Vector::LinSpaced(n, -0.2, 0.4);
  const double step = 1e-4;
  const auto q = [&](double t) -> Vector {
    return f_lite(mean + t * a, stddev + t * b, kTight).probabilities;
  };
  const Vector expected =
      (8.0 * (q(step) - q(-step)) - (q(2.0 * step) - q(-2.0 * step))) / (12.0 * step);
  const FLiteDerivative d(mean, stddev, kTight);
  CHECK((d.jvp(a, b) - expected).cwiseAbs().maxCoeff() < 1e-10);
  const Vector w = Vector::LinSpaced(n, 0.3, -0.7);
  const FLiteDerivative::Gradient g = d.vjp(w);
  CHECK_THAT(g.mean.dot(a) + g.stddev.dot(b), WithinAbs(w.dot(expected), 1e-10));
}

TEST_CASE("Products need no n x n matrix", "[estimators][f_lite_derivative]") {
  const Index n = 200000;
  const FLiteDerivative d(Vector::LinSpaced(n, 0.0, 1.0), Vector::Ones(n));
  // A common shift of the means, or of the weights, changes nothing.
  const double scale = d.sensitivity().norm();
  CHECK(d.jvp(Vector::Ones(n), Vector::Zero(n)).norm() < 1e-10 * scale);
  CHECK(d.vjp(Vector::Ones(n)).mean.norm() < 1e-10 * scale);
  CHECK_THROWS_AS(d.jacobian_mean(), pomlux::MemoryLimitExceeded);
}

TEST_CASE("The derivative of one arm is zero, of a certain arm refused",
          "[estimators][f_lite_derivative]") {
  const FLiteDerivative one(Vector::Ones(1), Vector::Ones(1));
  CHECK(one.jvp(Vector::Ones(1), Vector::Ones(1))(0) == 0.0);
  CHECK(one.entropy_gradient().mean(0) == 0.0);
  const Vector stddev = (Vector(2) << 1.0, 0.0).finished();
  CHECK_THROWS_WITH(FLiteDerivative(Vector::Zero(2), stddev),
                    "FLiteDerivative: stddev[1] is 0; derivatives need every stddev >= 1e-290");
  CHECK_THROWS_AS(one.jvp(Vector::Ones(2), Vector::Ones(1)), pomlux::InvalidArgument);
}
