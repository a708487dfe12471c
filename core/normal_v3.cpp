// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kNormalKernelsV3
#include <pomlux/core/normal_kernels.inc>
