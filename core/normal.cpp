// SPDX-License-Identifier: MIT
#include <pomlux/core/normal.hpp>
