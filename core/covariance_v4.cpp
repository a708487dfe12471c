// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kCovarianceKernelsV4
#include <pomlux/core/covariance_kernels.inc>
