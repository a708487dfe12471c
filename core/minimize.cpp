// SPDX-License-Identifier: MIT
#include <pomlux/core/minimize.hpp>
