//===- Json.h - Writes JSON -------------------------------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_DSM_TRACE_JSON_H
#define GRAUPEL_DSM_TRACE_JSON_H

#include <cstdint>
#include <cstdio>
#include <string>

namespace graupel::dsm::trace {

/// Text of values in the order of the calls; puts the commas.
class Json {
public:
  Json &open(char Bracket) {
    separate();
    Text += Bracket;
    First = true;
    return *this;
  }
  Json &close(char Bracket) {
    Text += Bracket;
    First = false;
    return *this;
  }
  /// A member of an object; its value follows. On a line of its own.
  Json &key(const char *Name) {
    separate();
    Text += '\n';
    quote(Name);
    Text += ": ";
    First = true;
    return *this;
  }
  /// The next value starts a line.
  Json &line() {
    separate();
    Text += '\n';
    First = true;
    return *this;
  }
  Json &number(uint64_t Value) { return raw(std::to_string(Value)); }
  Json &integer(int64_t Value) { return raw(std::to_string(Value)); }
  Json &seconds(double Value) {
    char Digits[64];
    snprintf(Digits, sizeof(Digits), "%.6f", Value);
    return raw(Digits);
  }
  Json &string(const std::string &Value) {
    separate();
    quote(Value);
    return *this;
  }
  const std::string &text() const { return Text; }

private:
  void separate() {
    if (!First)
      Text += ", ";
    First = false;
  }
  Json &raw(const std::string &Value) {
    separate();
    Text += Value;
    return *this;
  }
  /// Bytes that are no UTF-8 stay as they are; paths may have them.
  void quote(const std::string &Value) {
    Text += '"';
    for (char C : Value) {
      if (C == '"' || C == '\\')
        Text += '\\';
      if (static_cast<unsigned char>(C) < 0x20) {
        char Escaped[8];
        snprintf(Escaped, sizeof(Escaped), "\\u%04x", C);
        Text += Escaped;
      } else {
        Text += C;
      }
    }
    Text += '"';
  }

  std::string Text;
  bool First = true;
};

} // namespace graupel::dsm::trace

#endif
