// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kNormalKernelsBaseline
#include <pomlux/core/normal_kernels.inc>
