// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kNormalKernelsV4
#include <pomlux/core/normal_kernels.inc>
