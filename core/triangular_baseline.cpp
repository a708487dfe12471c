// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kTriangularKernelsBaseline
#include <pomlux/core/triangular_kernels.inc>
