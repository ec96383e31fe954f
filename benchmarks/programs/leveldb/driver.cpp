// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads for LevelDB: `driver orders N` (training) and `driver index N` (reference), in memory.
// They differ in keys, values, order of access, comparator, filter and in what is asked.
//
// Writes between two compactions fit into one memory table, so LevelDB's thread has nothing to
// do until the driver asks for a compaction and waits: each run executes the same.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"

namespace {

// Numbers from a fixed seed.
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  uint32_t below(uint32_t Limit) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return uint32_t(State >> 33) % Limit;
  }

private:
  uint64_t State;
};

// Descending order.
class Descending : public leveldb::Comparator {
public:
  int Compare(const leveldb::Slice &A, const leveldb::Slice &B) const override {
    return B.compare(A);
  }
  const char *Name() const override { return "bench.Descending"; }
  void FindShortestSeparator(std::string *, const leveldb::Slice &) const override {}
  void FindShortSuccessor(std::string *) const override {}
};

void check(const leveldb::Status &Status) {
  if (Status.ok())
    return;
  std::fprintf(stderr, "leveldb: %s\n", Status.ToString().c_str());
  std::exit(1);
}

// FNV over all that was read; what the program prints.
class Sum {
public:
  void add(const leveldb::Slice &Text) {
    for (size_t I = 0; I < Text.size(); ++I)
      Value = (Value ^ uint8_t(Text[I])) * 1099511628211u;
  }
  void print(const char *What) const {
    std::printf("%s %016llx\n", What, static_cast<unsigned long long>(Value));
  }

private:
  uint64_t Value = 1469598103934665603u;
};

class Database {
public:
  Database(const leveldb::Comparator *Order, const leveldb::FilterPolicy *Filter, size_t Cache)
      : Env(leveldb::NewMemEnv(leveldb::Env::Default())), Blocks(leveldb::NewLRUCache(Cache)) {
    leveldb::Options Options;
    Options.create_if_missing = true;
    Options.env = Env.get();
    Options.comparator = Order;
    Options.filter_policy = Filter;
    Options.block_cache = Blocks.get();
    Options.write_buffer_size = 64 << 20;
    Options.compression = leveldb::kNoCompression;
    leveldb::DB *Opened = nullptr;
    check(leveldb::DB::Open(Options, "/bench", &Opened));
    DB.reset(Opened);
  }

  void compact() { DB->CompactRange(nullptr, nullptr); }

  std::unique_ptr<leveldb::Env> Env;
  std::unique_ptr<leveldb::Cache> Blocks;
  std::unique_ptr<leveldb::DB> DB;
};

// Orders by customer: single writes, updates, deletions, reads of what mostly exists, and scans
// of one customer.
void orders(int Scale) {
  Database Base(leveldb::BytewiseComparator(), nullptr, 1 << 20);
  Random Next(11);
  Sum Result;
  char Key[64];
  std::string Value;
  for (int Round = 0; Round < Scale; ++Round) {
    for (int I = 0; I < 6000; ++I) {
      std::snprintf(Key, sizeof(Key), "customer/%04u/order/%05u", Next.below(300),
                    Next.below(400));
      Value.assign(40 + Next.below(160), char('a' + Next.below(26)));
      if (Next.below(8) == 0)
        check(Base.DB->Delete(leveldb::WriteOptions(), Key));
      else
        check(Base.DB->Put(leveldb::WriteOptions(), Key, Value));
    }
    for (int I = 0; I < 4000; ++I) {
      std::snprintf(Key, sizeof(Key), "customer/%04u/order/%05u", Next.below(300),
                    Next.below(400));
      if (Base.DB->Get(leveldb::ReadOptions(), Key, &Value).ok())
        Result.add(Value);
    }
    Base.compact();
    for (int I = 0; I < 60; ++I) {
      std::snprintf(Key, sizeof(Key), "customer/%04u/", Next.below(300));
      std::unique_ptr<leveldb::Iterator> At(Base.DB->NewIterator(leveldb::ReadOptions()));
      for (At->Seek(Key); At->Valid() && At->key().starts_with(Key); At->Next())
        Result.add(At->value());
      check(At->status());
    }
  }
  Result.print("orders");
}

// An inverted index of words in descending order: batches, a filter, a snapshot, reads of what
// mostly does not exist, and scans backwards.
void index(int Scale) {
  Descending Order;
  std::unique_ptr<const leveldb::FilterPolicy> Filter(leveldb::NewBloomFilterPolicy(10));
  Database Base(&Order, Filter.get(), 8 << 20);
  Random Next(29);
  Sum Result;
  std::string Word, Value;
  auto Name = [&](uint32_t Number) {
    Word.clear();
    for (; Number; Number /= 20)
      Word += "bcdfghklmnprstvwxyzq"[Number % 20];
    return leveldb::Slice(Word);
  };
  for (int Round = 0; Round < Scale; ++Round) {
    const leveldb::Snapshot *Before = Base.DB->GetSnapshot();
    for (int I = 0; I < 500; ++I) {
      leveldb::WriteBatch Batch;
      uint32_t Document = Next.below(1 << 20);
      for (int J = 0; J < 16; ++J) {
        leveldb::Slice Term = Name(1 + Next.below(30000) * 5);
        Batch.Put(Term, leveldb::Slice(reinterpret_cast<const char *>(&Document), 4));
      }
      check(Base.DB->Write(leveldb::WriteOptions(), &Batch));
    }
    for (int I = 0; I < 2000; ++I) {
      leveldb::ReadOptions Options;
      Options.snapshot = I % 3 ? nullptr : Before;
      if (Base.DB->Get(Options, Name(1 + Next.below(150000)), &Value).ok())
        Result.add(Value);
    }
    Base.DB->ReleaseSnapshot(Before);
    Base.compact();
    for (int I = 0; I < 9000; ++I)
      if (Base.DB->Get(leveldb::ReadOptions(), Name(1 + Next.below(150000)), &Value).ok())
        Result.add(Value);
    std::unique_ptr<leveldb::Iterator> At(Base.DB->NewIterator(leveldb::ReadOptions()));
    for (int I = 0; I < 40; ++I) {
      int Left = 50;
      for (At->Seek(Name(Next.below(150000))); At->Valid() && Left; At->Prev(), --Left)
        Result.add(At->key());
    }
    int Left = 2000;
    for (At->SeekToLast(); At->Valid() && Left; At->Prev(), --Left)
      Result.add(At->value());
    check(At->status());
  }
  Result.print("index");
}

} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 2;
  int Scale = std::atoi(Argv[2]);
  if (!std::strcmp(Argv[1], "orders"))
    orders(Scale);
  else if (!std::strcmp(Argv[1], "index"))
    index(Scale);
  else
    return 2;
  return 0;
}
