// SPDX-License-Identifier: MIT
#pragma once

#include <pomlux/experiments/figures.hpp>
#include <string>  // the document

namespace pomlux::figures {

/// The figure as one SVG element with its own fonts and colours, ready for a file or for embedding
/// in HTML: no scripts, no references to anything outside. Equal figures give equal bytes, under
/// every locale. Cost: linear in the data; a line takes about 12 bytes per point, a map at most
/// about 30 per cell (equal neighbours are merged).
/// @throws InvalidArgument if sizes within a layer differ or a name is not a file stem.
[[nodiscard]] std::string to_svg(const Figure& figure);

/// The checks of to_svg, for the other renderings.
void validate(const Figure& figure);

}  // namespace pomlux::figures
