//===- Database/Connection.h - SQLite, as much as is needed --- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_DATABASE_CONNECTION_H
#define GRAUPEL_ENVIRONMENT_DATABASE_CONNECTION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace graupel::environment {

enum class Access { ReadWrite, ReadOnly };

/// An open database. The first error of any statement is kept, and statements
/// after it do nothing; check() and Transaction::commit() say it. So a sequence
/// of statements needs one look at the end, and nothing half done is committed.
class Connection {
public:
  /// Opens the SQLite file \p Path, or makes it unless \p A is ReadOnly.
  static llvm::Expected<Connection> open(const std::string &Path, Access A);
  Connection(Connection &&);
  Connection &operator=(Connection &&) = delete;
  ~Connection();

  Access access() const { return Mode; }
  const std::string &path() const { return Path; }

  /// Statements without values and results.
  void execute(const char *SQL);
  int64_t lastId() const;
  /// Rows that the last statement changed.
  int64_t changes() const;
  /// The first error since the last call, in words.
  llvm::Error check();

private:
  friend class Statement;
  friend class Transaction;
  Connection(sqlite3 *Handle, std::string Path, Access A)
      : Handle(Handle), Path(std::move(Path)), Mode(A) {}
  void fail(int Code);

  sqlite3 *Handle;
  std::string Path, Wrong;
  Access Mode;
};

/// One statement with its values and results.
class Statement {
public:
  Statement(Connection &DB, const char *SQL);
  Statement(const Statement &) = delete;
  ~Statement();

  /// The next value.
  Statement &operator<<(int64_t Value);
  Statement &operator<<(double Value);
  Statement &operator<<(llvm::StringRef Text);
  /// The same, as bytes. They are copied.
  Statement &bytes(llvm::StringRef Bytes);

  /// Goes to the next row. False behind the last one, and after errors.
  bool next();
  /// For statements without results.
  void run() { next(); }
  /// The results of \p Read for each row, and for the first one.
  template <class Reader> auto rows(Reader Read) {
    std::vector<std::invoke_result_t<Reader, Statement &>> Rows;
    while (next())
      Rows.push_back(Read(*this));
    return Rows;
  }
  template <class Reader> auto row(Reader Read) {
    using Row = std::invoke_result_t<Reader, Statement &>;
    return next() ? std::optional<Row>(Read(*this)) : std::nullopt;
  }

  /// Columns of the row, from 0 on.
  int64_t integer(int Column);
  bool isNull(int Column);
  double real(int Column);
  std::string text(int Column);

private:
  Connection &DB;
  sqlite3_stmt *Handle = nullptr;
  int Values = 0;
};

/// All statements until commit() take effect as a whole or not at all. Waits
/// for other writers.
class Transaction {
public:
  explicit Transaction(Connection &DB);
  Transaction(const Transaction &) = delete;
  ~Transaction();
  llvm::Error commit();

private:
  Connection &DB;
  bool Open = true;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_DATABASE_CONNECTION_H
