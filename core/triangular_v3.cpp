// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kTriangularKernelsV3
#include <pomlux/core/triangular_kernels.inc>
