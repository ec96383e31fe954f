//===- Database/Schema.h - Tables and their migrations -------- -*- C++ -*-===//
//
// Part of Graupel, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GRAUPEL_ENVIRONMENT_DATABASE_SCHEMA_H
#define GRAUPEL_ENVIRONMENT_DATABASE_SCHEMA_H

#include "Connection.h"
#include "llvm/ADT/ArrayRef.h"

namespace graupel::environment {

/// The statements that lead from version I to version I + 1; version 0 is an
/// empty database. Released statements are never changed, only added to.
llvm::ArrayRef<const char *> migrations();

/// Brings a database to version \p To (all migrations, if it is not given), in
/// one transaction. Refuses files that are not ours, and those of a newer
/// program. One that is opened for reading must be of this version.
llvm::Error prepareSchema(Connection &DB);
llvm::Error prepareSchema(Connection &DB, size_t To);

} // namespace graupel::environment

#endif // GRAUPEL_ENVIRONMENT_DATABASE_SCHEMA_H
