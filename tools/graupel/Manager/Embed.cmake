# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake -DOUTPUT=FILE -DFILES=LIST -P Embed.cmake: page.js becomes
# pageFile("page.js").

set(text "#include \"PageFiles.h\"\n\nstd::string_view graupel::ui::pageFile(std::string_view Name) {\n")
foreach(path IN LISTS FILES)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" bytes HEX)
  string(LENGTH "${bytes}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND text "  if (Name == \"${name}\") {\n"
    "    static const unsigned char Bytes[] = {${bytes}};\n"
    "    return {reinterpret_cast<const char *>(Bytes), ${length}};\n  }\n")
endforeach()
string(APPEND text "  return {};\n}\n")
file(WRITE "${OUTPUT}" "${text}")
