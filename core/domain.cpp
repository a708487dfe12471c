// SPDX-License-Identifier: MIT
#include <pomlux/core/domain.hpp>
