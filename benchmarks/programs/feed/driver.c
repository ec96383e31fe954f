// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// driver RULES.SO SCRIPT QUERIES FILE ROUNDS: reads records from XML (expat), has
// each one rated by a Lua script (RULES.SO, opened here), keeps them with their
// compressed texts (zlib) in a database (SQLite), and prints what queries find.
//
#include <dlfcn.h>
#include <expat.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_TEXT = 1 << 16 };

struct Rules {
  void *(*open)(const char *Script);
  double (*rate)(void *State, const char *Kind, const char *Text, double Value);
  void (*close)(void *State);
  void *State;
};

struct Reader {
  sqlite3 *Database;
  sqlite3_stmt *Insert;
  struct Rules *Rules;
  char Kind[64], Name[128], Text[MOST_TEXT];
  double Value;
  int Length, Depth;
};

static void fail(const char *What, const char *Why) {
  fprintf(stderr, "driver: %s: %s\n", What, Why);
  exit(1);
}

static void started(void *User, const char *Element, const char **Attributes) {
  struct Reader *R = User;
  if (++R->Depth != 2)
    return;
  R->Length = 0;
  R->Value = 0;
  R->Name[0] = 0;
  snprintf(R->Kind, sizeof(R->Kind), "%s", Element);
  for (; *Attributes; Attributes += 2)
    if (strcmp(Attributes[0], "name") == 0)
      snprintf(R->Name, sizeof(R->Name), "%s", Attributes[1]);
    else if (strcmp(Attributes[0], "value") == 0)
      R->Value = atof(Attributes[1]);
}

static void text(void *User, const char *Text, int Length) {
  struct Reader *R = User;
  if (R->Depth < 2 || R->Length + Length >= MOST_TEXT)
    return;
  memcpy(R->Text + R->Length, Text, (size_t)Length);
  R->Length += Length;
}

static void keep(struct Reader *R) {
  static Bytef Packed[MOST_TEXT * 2];
  uLongf Size = sizeof(Packed);
  R->Text[R->Length] = 0;
  if (compress2(Packed, &Size, (const Bytef *)R->Text, (uLong)R->Length, 6) != Z_OK)
    fail("compress2", R->Name);
  sqlite3_bind_text(R->Insert, 1, R->Kind, -1, SQLITE_STATIC);
  sqlite3_bind_text(R->Insert, 2, R->Name, -1, SQLITE_STATIC);
  sqlite3_bind_double(R->Insert, 3, R->Value);
  sqlite3_bind_double(R->Insert, 4, R->Rules->rate(R->Rules->State, R->Kind, R->Text, R->Value));
  sqlite3_bind_blob(R->Insert, 5, Packed, (int)Size, SQLITE_STATIC);
  if (sqlite3_step(R->Insert) != SQLITE_DONE)
    fail("insert", sqlite3_errmsg(R->Database));
  sqlite3_reset(R->Insert);
}

static void ended(void *User, const char *Element) {
  struct Reader *R = User;
  (void)Element;
  if (R->Depth-- == 2)
    keep(R);
}

// unpacked(BLOB): the text, in queries.
static void unpacked(sqlite3_context *C, int Count, sqlite3_value **Values) {
  static Bytef Text[MOST_TEXT];
  uLongf Size = sizeof(Text);
  (void)Count;
  if (uncompress(Text, &Size, sqlite3_value_blob(Values[0]),
                 (uLong)sqlite3_value_bytes(Values[0])) != Z_OK)
    sqlite3_result_error(C, "cannot be unpacked", -1);
  else
    sqlite3_result_text(C, (const char *)Text, (int)Size, SQLITE_TRANSIENT);
}

static void execute(sqlite3 *Database, const char *SQL) {
  char *Why = NULL;
  if (sqlite3_exec(Database, SQL, NULL, NULL, &Why))
    fail(SQL, Why);
}

static void printAll(sqlite3 *Database, const char *SQL) {
  sqlite3_stmt *Query;
  while (*SQL) {
    if (sqlite3_prepare_v2(Database, SQL, -1, &Query, &SQL))
      fail("query", sqlite3_errmsg(Database));
    while (Query && sqlite3_step(Query) == SQLITE_ROW) {
      for (int I = 0; I < sqlite3_column_count(Query); ++I)
        printf("%s%s", I ? " | " : "", (const char *)sqlite3_column_text(Query, I));
      putchar('\n');
    }
    sqlite3_finalize(Query);
  }
}

static char *contents(const char *Path) {
  FILE *File = fopen(Path, "rb");
  if (!File)
    fail(Path, "cannot be opened");
  fseek(File, 0, SEEK_END);
  const long Size = ftell(File);
  rewind(File);
  char *Text = malloc((size_t)Size + 1);
  if (fread(Text, 1, (size_t)Size, File) != (size_t)Size)
    fail(Path, "cannot be read");
  Text[Size] = 0;
  fclose(File);
  return Text;
}

static void doRound(struct Rules *Rules, const char *XML, const char *Queries) {
  static struct Reader R;
  memset(&R, 0, sizeof(R));
  R.Rules = Rules;
  if (sqlite3_open(":memory:", &R.Database))
    fail("database", sqlite3_errmsg(R.Database));
  sqlite3_create_function(R.Database, "unpacked", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                          unpacked, NULL, NULL);
  execute(R.Database, "CREATE TABLE records(id INTEGER PRIMARY KEY, kind TEXT, name TEXT, value REAL,"
                      " rating REAL, text BLOB); CREATE INDEX by_name ON records(name, kind); BEGIN");
  sqlite3_prepare_v2(R.Database, "INSERT INTO records(kind, name, value, rating, text)"
                     " VALUES(?, ?, ?, ?, ?)", -1, &R.Insert, NULL);
  XML_Parser Parser = XML_ParserCreate(NULL);
  // The default is a random number.
  XML_SetHashSalt(Parser, 24593);
  XML_SetUserData(Parser, &R);
  XML_SetElementHandler(Parser, started, ended);
  XML_SetCharacterDataHandler(Parser, text);
  if (XML_Parse(Parser, XML, (int)strlen(XML), 1) != XML_STATUS_OK)
    fail("XML", XML_ErrorString(XML_GetErrorCode(Parser)));
  XML_ParserFree(Parser);
  execute(R.Database, "COMMIT");
  printAll(R.Database, Queries);
  sqlite3_finalize(R.Insert);
  sqlite3_close(R.Database);
}

static void openRules(struct Rules *To, const char *Path, const char *Script) {
  void *Library = dlopen(Path, RTLD_NOW);
  if (!Library)
    fail("dlopen", dlerror());
  *(void **)&To->open = dlsym(Library, "rules_open");
  *(void **)&To->rate = dlsym(Library, "rules_rate");
  *(void **)&To->close = dlsym(Library, "rules_close");
  To->State = To->open(Script);
  if (!To->State)
    fail(Script, "is no script of rules");
}

int main(int Count, char **Words) {
  struct Rules Rules;
  if (Count != 6)
    fail("arguments", "RULES.SO SCRIPT QUERIES FILE ROUNDS");
  openRules(&Rules, Words[1], Words[2]);
  char *Queries = contents(Words[3]), *XML = contents(Words[4]);
  for (int Round = atoi(Words[5]); Round > 0; --Round)
    doRound(&Rules, XML, Queries);
  Rules.close(Rules.State);
  free(Queries);
  free(XML);
  return 0;
}
