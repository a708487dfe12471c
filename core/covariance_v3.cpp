// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kCovarianceKernelsV3
#include <pomlux/core/covariance_kernels.inc>
