//===- Output/Shown.h - Names as a terminal may see them ------- -*- C++
//-*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_OUTPUT_SHOWN_H
#define GRAUPEL_ENVIRONMENT_OUTPUT_SHOWN_H

#include <string>
#include <string_view>

namespace graupel::output {

/// A name without what a terminal would obey: control characters, marks that
/// turn the direction of text, and what is not UTF-8 become \xNN.
std::string shown(std::string_view Name);
/// The same for a text of several lines, which may have tabs.
std::string shownLines(std::string_view Text);

} // namespace graupel::output

#endif // GRAUPEL_ENVIRONMENT_OUTPUT_SHOWN_H
