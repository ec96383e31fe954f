//===- Environment.h - Database and store of a user ----------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_ENVIRONMENT_H
#define GRAUPEL_ENVIRONMENT_ENVIRONMENT_H

#include "Database/Connection.h"
#include "Database/Tables.h"
#include "Store/Store.h"
#include <memory>

namespace graupel::environment {

/// Where everything of a user is.
struct Locations {
  std::string State; ///< The folder of all the others.
  std::string Database, Store, Spool, Locks, Places, Reports;

  /// $XDG_STATE_HOME/graupel or ~/.local/state/graupel.
  static llvm::Expected<Locations> find();
  /// With that folder; a relative one is meant from where this process is.
  static Locations in(llvm::StringRef State);
};

/// An error if there is a folder or a database that this user may not read:
/// another user's. None where there is nothing yet.
llvm::Error checkReadable(const Locations &L);

/// The database and the store of one user. One thread at a time may use an
/// object; any number of objects and processes may use the same files.
class Environment {
public:
  /// Makes what is missing, migrates an older database. ReadOnly makes nothing
  /// and works where nothing can be written; without a database it is an error.
  static llvm::Expected<std::unique_ptr<Environment>>
  open(Access A = Access::ReadWrite);
  static llvm::Expected<std::unique_ptr<Environment>> open(const Locations &L,
                                                           Access A);
  /// For those who only look: where nothing can be written, they still do.
  static llvm::Expected<std::unique_ptr<Environment>>
  openToLook(const Locations &L);
  static llvm::Expected<std::unique_ptr<Environment>> openToLook();

  const Locations &locations() const { return Places; }
  bool readOnly() const { return DB.access() == Access::ReadOnly; }
  Connection &database() { return DB; }
  Store &store() { return Files; }

private:
  Environment(Locations L, Connection DB);

  Locations Places;
  Connection DB;
  Store Files;
};

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_ENVIRONMENT_H
