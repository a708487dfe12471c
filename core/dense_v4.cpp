// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kDenseKernelsV4
#include <pomlux/core/dense_kernels.inc>
