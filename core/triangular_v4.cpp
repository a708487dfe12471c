// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kTriangularKernelsV4
#include <pomlux/core/triangular_kernels.inc>
