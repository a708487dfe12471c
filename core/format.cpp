// SPDX-License-Identifier: MIT
#include <pomlux/core/format.hpp>
