// SPDX-License-Identifier: MIT
#include <pomlux/core/covariance_kernels.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <pomlux/core/level_tables.hpp>
#include <string>  // messages

namespace pomlux {

const detail::CovarianceKernels& detail::covariance_kernels(Isa level) {
  return POMLUX_LEVEL_TABLES(kCovarianceKernels).at(level, "covariance_kernels");
}

}  // namespace pomlux
