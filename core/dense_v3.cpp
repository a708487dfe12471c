// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kDenseKernelsV3
#include <pomlux/core/dense_kernels.inc>
