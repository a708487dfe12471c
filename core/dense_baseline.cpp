// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kDenseKernelsBaseline
#include <pomlux/core/dense_kernels.inc>
