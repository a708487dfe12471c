// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kRandomKernelsV4
#include <pomlux/core/random_kernels.inc>
