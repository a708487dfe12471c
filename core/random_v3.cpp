// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kRandomKernelsV3
#include <pomlux/core/random_kernels.inc>
