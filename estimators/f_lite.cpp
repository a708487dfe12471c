// SPDX-License-Identifier: MIT
#include <pomlux/estimators/f_lite.hpp>
