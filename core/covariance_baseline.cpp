// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kCovarianceKernelsBaseline
#include <pomlux/core/covariance_kernels.inc>
