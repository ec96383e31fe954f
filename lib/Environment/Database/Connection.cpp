//===- Database/Connection.cpp - SQLite, as much as is needed -------------===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens an SQLite database, and runs statements and transactions.
//
// 1. Connection::open opens the file. If it is only read, is not writable and
//    has no log, SQLite is told that nobody writes. A database that is written
//    to is switched to a write-ahead log; switchToLog waits for others itself.
// 2. fail keeps the first error, as a sentence with advice (explain). check
//    returns it and forgets it.
// 3. Statement prepares a statement, binds values in order, steps to rows and
//    reads columns. After an error it does nothing.
// 4. Transaction begins with the lock for writing, so that writers wait for
//    each other here. commit returns the first error; without a commit the
//    destructor rolls back.
//
//===----------------------------------------------------------------------===//

#include "Connection.h"
#include <cerrno>
#include <sqlite3.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace llvm;
using namespace graupel::environment;

/// Time that a writer waits for others.
static constexpr int BusyMilliseconds = 30000;

static const char *const LimitAdvice =
    "reading or writing failed; raise the limit of file sizes (ulimit -f)";

static bool hasFileSizeLimit() {
  rlimit Limit;
  return getrlimit(RLIMIT_FSIZE, &Limit) == 0 && Limit.rlim_cur < (1 << 30);
}

static std::string explain(int Code, int SystemError, const char *Message) {
  const int Kind = Code & 0xff;
  if ((Kind == SQLITE_CANTOPEN || Kind == SQLITE_IOERR) &&
      (SystemError == EMFILE || SystemError == ENFILE))
    return "too many files are open; raise the limit (ulimit -n)";
  switch (Kind) {
  case SQLITE_FULL:
    if (hasFileSizeLimit())
      return LimitAdvice;
    return "the disk is full; free some space";
  case SQLITE_BUSY:
    return "other programs have been writing for 30 seconds; try again";
  case SQLITE_READONLY:
  case SQLITE_PERM:
    return "it cannot be written; check the rights of its folder, and that its "
           "file system is not mounted read-only";
  case SQLITE_CANTOPEN:
    return "it cannot be opened; check the rights of its folder";
  case SQLITE_CORRUPT:
  case SQLITE_NOTADB:
    return std::string("it is damaged (") + Message +
           "); move it away, and register your applications again";
  case SQLITE_IOERR:
    if (hasFileSizeLimit())
      return LimitAdvice;
    return std::string("reading or writing failed (") + Message +
           "); check the disk, and that it is a local one";
  default:
    return std::string(Message) + "; please report this";
  }
}

void Connection::fail(int Code) {
  if (Wrong.empty())
    Wrong = Path + ": " +
            explain(Code, Handle ? sqlite3_system_errno(Handle) : 0,
                    Handle ? sqlite3_errmsg(Handle) : "no memory");
}

/// In a folder that cannot be written, SQLite can open what was closed in order
/// only if it is told that nobody else writes.
static int openReadOnly(const std::string &Path, sqlite3 **Handle) {
  const std::string Log = Path + "-wal";
  const bool IsAlone =
      access(Log.c_str(), F_OK) != 0 && access(Path.c_str(), W_OK) != 0;
  std::string URI = "file:";
  for (char C : Path)
    if (C == '?' || C == '#' || C == '%')
      URI += std::string("%") + "0123456789abcdef"[(C >> 4) & 15] +
             "0123456789abcdef"[C & 15];
    else
      URI += C;
  URI += IsAlone ? "?immutable=1" : "?mode=ro";
  return sqlite3_open_v2(URI.c_str(), Handle,
                         SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
}

/// SQLite does not wait by itself while others switch to the log, too.
static int switchToLog(sqlite3 *Handle) {
  int Code = SQLITE_BUSY;
  for (int Waited = 0; Waited < BusyMilliseconds; Waited += 10) {
    Code = sqlite3_exec(Handle, "PRAGMA journal_mode=WAL", nullptr, nullptr,
                        nullptr);
    if ((Code & 0xff) != SQLITE_BUSY)
      break;
    sqlite3_sleep(10);
  }
  return Code;
}

Expected<Connection> Connection::open(const std::string &Path, Access A) {
  sqlite3 *Handle = nullptr;
  const int Code =
      A == Access::ReadOnly
          ? openReadOnly(Path, &Handle)
          : sqlite3_open_v2(Path.c_str(), &Handle,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                            nullptr);
  Connection C(Handle, Path, A);
  if (Code != SQLITE_OK) {
    C.fail(Code);
    return C.check();
  }
  sqlite3_busy_timeout(Handle, BusyMilliseconds);
  sqlite3_extended_result_codes(Handle, 1);
  C.execute("PRAGMA foreign_keys=ON");
  if (A == Access::ReadWrite) {
    if (const int Code = switchToLog(Handle))
      C.fail(Code);
    C.execute("PRAGMA synchronous=FULL");
  }
  if (Error E = C.check())
    return E;
  return C;
}

Connection::Connection(Connection &&C)
    : Handle(C.Handle), Path(std::move(C.Path)), Wrong(std::move(C.Wrong)),
      Mode(C.Mode) {
  C.Handle = nullptr;
}

Connection::~Connection() { sqlite3_close(Handle); }

void Connection::execute(const char *SQL) {
  if (!Wrong.empty())
    return;
  if (const int Code = sqlite3_exec(Handle, SQL, nullptr, nullptr, nullptr))
    fail(Code);
}

int64_t Connection::lastId() const { return sqlite3_last_insert_rowid(Handle); }
int64_t Connection::changes() const { return sqlite3_changes64(Handle); }

Error Connection::check() {
  if (Wrong.empty())
    return Error::success();
  Error E = createStringError(Wrong);
  Wrong.clear();
  return E;
}

Statement::Statement(Connection &DB, const char *SQL) : DB(DB) {
  if (!DB.Wrong.empty())
    return;
  if (const int Code = sqlite3_prepare_v2(DB.Handle, SQL, -1, &Handle, nullptr))
    DB.fail(Code);
}

Statement::~Statement() { sqlite3_finalize(Handle); }

Statement &Statement::operator<<(int64_t Value) {
  if (Handle)
    sqlite3_bind_int64(Handle, ++Values, Value);
  return *this;
}

Statement &Statement::operator<<(double Value) {
  if (Handle)
    sqlite3_bind_double(Handle, ++Values, Value);
  return *this;
}

Statement &Statement::operator<<(StringRef Text) {
  if (Handle)
    sqlite3_bind_text64(Handle, ++Values, Text.empty() ? "" : Text.data(),
                        Text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement &Statement::bytes(StringRef Bytes) {
  if (Handle)
    if (const int Code = sqlite3_bind_blob64(Handle, ++Values, Bytes.data(),
                                             Bytes.size(), SQLITE_TRANSIENT))
      DB.fail(Code);
  return *this;
}

bool Statement::next() {
  if (!Handle || !DB.Wrong.empty())
    return false;
  const int Code = sqlite3_step(Handle);
  if (Code == SQLITE_ROW)
    return true;
  if (Code != SQLITE_DONE)
    DB.fail(Code);
  return false;
}

int64_t Statement::integer(int Column) {
  return sqlite3_column_int64(Handle, Column);
}

bool Statement::isNull(int Column) {
  return sqlite3_column_type(Handle, Column) == SQLITE_NULL;
}

double Statement::real(int Column) {
  return sqlite3_column_double(Handle, Column);
}

std::string Statement::text(int Column) {
  const auto *Bytes =
      static_cast<const char *>(sqlite3_column_blob(Handle, Column));
  const auto Size = static_cast<size_t>(sqlite3_column_bytes(Handle, Column));
  return Bytes ? std::string(Bytes, Size) : std::string();
}

Transaction::Transaction(Connection &DB) : DB(DB) {
  DB.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (Open && !sqlite3_get_autocommit(DB.Handle))
    sqlite3_exec(DB.Handle, "ROLLBACK", nullptr, nullptr, nullptr);
}

Error Transaction::commit() {
  DB.execute("COMMIT");
  Error E = DB.check();
  Open = bool(E) && !sqlite3_get_autocommit(DB.Handle);
  return E;
}
