// SPDX-License-Identifier: MIT
#include <pomlux/core/covariance_kernels.hpp>
#include <pomlux/core/errors.hpp>
#include <pomlux/core/isa.hpp>
#include <string>  // messages

namespace pomlux {

const detail::CovarianceKernels& detail::covariance_kernels(Isa level) {
  if (!is_available(level)) {
    fail("covariance_kernels", "level " + std::string(to_string(level)) + " is not available here");
  }
#ifdef POMLUX_X86_LEVELS
  if (level == Isa::kV3) return kCovarianceKernelsV3;
  if (level == Isa::kV4) return kCovarianceKernelsV4;
#endif
  return kCovarianceKernelsBaseline;
}

}  // namespace pomlux
