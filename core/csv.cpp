// SPDX-License-Identifier: MIT
#include <pomlux/core/csv.hpp>
