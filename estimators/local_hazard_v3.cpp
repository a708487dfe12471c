// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kHazardKernelsV3
#include <pomlux/estimators/local_hazard_kernels.inc>
