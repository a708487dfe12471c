// SPDX-License-Identifier: MIT
#define POMLUX_KERNELS kHazardKernelsBaseline
#include <pomlux/estimators/local_hazard_kernels.inc>
