// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// driver FILE TIMES plain|spaces: parses a file so often and says what it saw.

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long Elements, Attributes, Letters, Others, Hash = 5381;

static void hash(const char *Text, size_t Length) {
  for (size_t I = 0; I < Length; ++I)
    Hash = Hash * 33 ^ (unsigned char)Text[I];
}

static void XMLCALL start(void *Data, const char *Name, const char **List) {
  ++Elements;
  hash(Name, strlen(Name));
  for (; *List; List += 2) {
    ++Attributes;
    hash(List[1], strlen(List[1]));
  }
}
static void XMLCALL end(void *Data, const char *Name) {
  hash(Name, strlen(Name));
}
static void XMLCALL text(void *Data, const char *Text, int Length) {
  Letters += Length;
}
static void XMLCALL comment(void *Data, const char *Text) { ++Others; }
static void XMLCALL instruction(void *Data, const char *Target,
                                const char *Text) {
  ++Others;
}

int main(int argc, char **argv) {
  FILE *File = argc == 4 ? fopen(argv[1], "rb") : NULL;
  static char Text[1 << 22];
  if (!File)
    return 2;
  size_t Size = fread(Text, 1, sizeof(Text), File);
  for (int I = atoi(argv[2]); I > 0; --I) {
    XML_Parser Parser = strcmp(argv[3], "plain")
                            ? XML_ParserCreateNS(NULL, '|')
                            : XML_ParserCreate(NULL);
    XML_SetHashSalt(Parser, 24593); // Otherwise it is random.
    XML_SetElementHandler(Parser, start, end);
    XML_SetCharacterDataHandler(Parser, text);
    XML_SetCommentHandler(Parser, comment);
    XML_SetProcessingInstructionHandler(Parser, instruction);
    // In pieces, as from a socket.
    for (size_t Done = 0; Done < Size;) {
      size_t Piece = Size - Done < 4096 ? Size - Done : 4096;
      if (!XML_Parse(Parser, Text + Done, Piece, Done + Piece == Size)) {
        printf("%s\n", XML_ErrorString(XML_GetErrorCode(Parser)));
        return 1;
      }
      Done += Piece;
    }
    XML_ParserFree(Parser);
  }
  printf("%lu %lu %lu %lu %lx\n", Elements, Attributes, Letters, Others, Hash);
  return 0;
}
