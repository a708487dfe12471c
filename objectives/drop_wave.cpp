// SPDX-License-Identifier: MIT
#include <pomlux/objectives/drop_wave.hpp>
