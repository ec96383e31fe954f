//===- Scan.cpp - The scanf family on shared memory -------------*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the scanf family for shared memory. All arguments are pointers to
// places for results.
//
// 1. ScanArguments(): count the arguments that the format takes, and read them.
//    If none is shared, the C library gets what was given.
// 2. rewrite: copy the format. A shared place for a value is replaced by a
//    private one with its present contents.
// 3. A shared place for text gets the letter m in its conversion, so that the C
//    library allocates the text, whose length only the input tells.
// 4. scan: call the C library with the new format and list.
// 5. giveBack: copy values and texts to their places, and free the texts.
//
//===----------------------------------------------------------------------===//

#include "Entries/Private.h"
#include "Wrappers/Formats.h"
#include <malloc.h>

using namespace graupel::dsm;

namespace {

class ScanArguments {
public:
  ScanArguments(const char *Given, va_list List) {
    unsigned Needed = countArguments(Given);
    Slots = static_cast<void **>(privateMemory(Needed * sizeof(void *)));
    bool Any = false;
    va_list L;
    va_copy(L, List);
    for (unsigned I = 0; I != Needed; ++I)
      Any |= isShared(Slots[I] = va_arg(L, void *));
    va_end(L);
    if (!Any)
      return;
    // One more letter a conversion at most.
    size_t Size = strlen(Given);
    Format = static_cast<char *>(privateMemory(2 * Size + 1));
    Used =
        static_cast<Argument *>(privateMemory((Size + 1) * sizeof(Argument)));
    rewrite(Given);
  }
  ~ScanArguments() {
    for (unsigned I = 0; I != Count; ++I)
      giveBack(Used[I]);
    free(Format);
    free(Used);
    free(Slots);
  }
  ScanArguments(const ScanArguments &) = delete;
  ScanArguments &operator=(const ScanArguments &) = delete;

  /// Null if nothing is shared.
  const char *format() const { return Format; }
  void *slots() { return Slots; }

private:
  struct Argument {
    void *Shared;
    size_t Bytes; ///< 0: text that the library allocates.
    bool Wide, Ends;
    size_t Width; ///< Of text that is not ended.
    union {
      void *Text;
      alignas(16) char Value[16];
    };
  };
  struct Conversion {
    int Position = 0;
    bool Suppressed = false, Allocates = false;
    int Width = -1;
    const char *WidthEnd;
    Length Modifier;
    char Letter;
  };

  static bool parse(Cursor &, Conversion &);
  static unsigned countArguments(const char *);
  void rewrite(const char *);
  bool replace(const Conversion &, void *&Slot);
  static void giveBack(Argument &);

  char *Format = nullptr;
  Argument *Used = nullptr;
  void **Slots;
  unsigned Count = 0;
};

/// Behind a '%' to behind the conversion; false if it takes no argument.
bool ScanArguments::parse(Cursor &C, Conversion &V) {
  V.Position = C.position();
  V.Suppressed = C.take('*');
  C.skip("'I");
  V.Width = C.number();
  V.WidthEnd = C.at();
  V.Allocates = C.take('m');
  V.Modifier = C.length();
  V.Letter = C.peek();
  if (!V.Letter)
    return false;
  C.skip();
  if (V.Letter == '[') {
    C.take('^');
    C.take(']');
    while (C.peek() && !C.take(']'))
      C.skip();
  }
  return !V.Suppressed && V.Letter != '%';
}

unsigned ScanArguments::countArguments(const char *Given) {
  unsigned Needed = 0;
  for (Cursor C(Given); C.peek();) {
    Conversion V;
    if (!C.take('%'))
      C.skip();
    else if (parse(C, V))
      Needed = std::max(Needed + !V.Position, unsigned(V.Position));
  }
  return std::min(Needed, MaxArguments);
}

/// Whether the library has to allocate.
bool ScanArguments::replace(const Conversion &V, void *&Slot) {
  if (!isShared(Slot))
    return false;
  Argument &A = Used[Count++];
  A = {};
  A.Shared = Slot;
  bool Text = strchr("sS[cC", V.Letter);
  if (Text && !V.Allocates) {
    A.Wide = V.Modifier == Length::Long || V.Letter == 'S' || V.Letter == 'C';
    A.Ends = V.Letter != 'c' && V.Letter != 'C';
    A.Width = V.Width < 1 ? 1 : static_cast<size_t>(V.Width);
    Slot = &A.Text;
    return true;
  }
  if (V.Allocates || V.Letter == 'p')
    A.Bytes = sizeof(void *);
  else if (!strchr("aAeEfFgG", V.Letter))
    A.Bytes = integerBytes(V.Modifier);
  else
    A.Bytes = V.Modifier == Length::LongDouble ? sizeof(long double)
              : V.Modifier == Length::Long     ? sizeof(double)
                                               : sizeof(float);
  graupel_dsm_memcpy(A.Value, A.Shared, A.Bytes);
  Slot = A.Value;
  return false;
}

void ScanArguments::rewrite(const char *Given) {
  char *Out = Format;
  unsigned Next = 0;
  auto Copy = [&Out](const char *From, const char *To) {
    Out = static_cast<char *>(mempcpy(Out, From, To - From));
  };
  for (Cursor C(Given); C.peek();) {
    const char *Start = C.at();
    Conversion V;
    if (!C.take('%'))
      C.skip();
    else if (parse(C, V)) {
      unsigned Index = V.Position ? V.Position - 1 : Next++;
      if (Index < MaxArguments && replace(V, Slots[Index])) {
        Copy(Start, V.WidthEnd);
        *Out++ = 'm';
        Start = V.WidthEnd;
      }
    }
    Copy(Start, C.at());
  }
  *Out = 0;
}

void ScanArguments::giveBack(Argument &A) {
  if (A.Bytes) {
    graupel_dsm_memcpy(A.Shared, A.Value, A.Bytes);
    return;
  }
  if (!A.Text)
    return;
  size_t Letter = A.Wide ? sizeof(wchar_t) : 1;
  // At the end of the input there may be less than was asked for.
  size_t Length = !A.Ends
                      ? std::min(A.Width, malloc_usable_size(A.Text) / Letter)
                  : A.Wide ? wcslen(static_cast<wchar_t *>(A.Text)) + 1
                           : strlen(static_cast<char *>(A.Text)) + 1;
  graupel_dsm_memcpy(A.Shared, A.Text, Length * Letter);
  free(A.Text);
}

/// Scan(format, arguments).
template <class F> int scan(const char *Format, va_list Given, F Scan) {
  String PrivateFormat(Format);
  ScanArguments Arguments(PrivateFormat, Given);
  if (!Arguments.format())
    return Scan(PrivateFormat.get(), Given);
  ArgumentList Private(Arguments.slots());
  return Scan(Arguments.format(), Private.get());
}

} // namespace

extern "C" {
int graupel_dsm_vfscanf(FILE *F, const char *Format, va_list L) {
  return scan(Format, L, [=](const char *Format, va_list L) {
    return vfscanf(F, Format, L);
  });
}
int graupel_dsm_vscanf(const char *Format, va_list L) {
  return graupel_dsm_vfscanf(stdin, Format, L);
}
int graupel_dsm_vsscanf(const char *S, const char *Format, va_list L) {
  return scan(Format, L, [=](const char *Format, va_list L) {
    return vsscanf(String(S), Format, L);
  });
}
} // extern "C"

GRAUPEL_FORMATTED(fscanf, vfscanf, (FILE * F, const char *Format, ...), F)
GRAUPEL_FORMATTED(scanf, vfscanf, (const char *Format, ...), stdin)
GRAUPEL_FORMATTED(sscanf, vsscanf, (const char *S, const char *Format, ...), S)
