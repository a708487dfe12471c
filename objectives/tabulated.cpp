// SPDX-License-Identifier: MIT
#include <pomlux/objectives/tabulated.hpp>
