// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kRandomKernelsBaseline
#include <pomlux/core/random_kernels.inc>
