// Errors keep their code, name what they are about, and have stable spellings.
#include "base/error.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using heed::Error;
using heed::ErrorCode;

TEST_CASE("an error is caught as a std::exception and says where it happened") {
  std::string what;
  try {
    throw Error(ErrorCode::invalid_file, "it ends in the middle of a tensor", "blk.0.attn_q.weight");
  } catch (const std::exception& error) {
    what = error.what();
  }
  CHECK(what == "blk.0.attn_q.weight: it ends in the middle of a tensor");
}

TEST_CASE("an error keeps its parts") {
  const Error error(ErrorCode::out_of_memory, "needs 5 GB, there are 2 GB", "model.gguf");
  CHECK(error.code() == ErrorCode::out_of_memory);
  CHECK(error.where() == "model.gguf");
  CHECK(error.message() == "model.gguf: needs 5 GB, there are 2 GB");
}

TEST_CASE("an error about nothing in particular is its plain message") {
  CHECK(Error(ErrorCode::unsupported, "GGUF version 9").message() == "GGUF version 9");
}

TEST_CASE("codes have the spellings that scripts rely on") {
  CHECK(to_string(ErrorCode::invalid_file) == "invalid-file");
  CHECK(to_string(ErrorCode::unsupported) == "unsupported");
  CHECK(to_string(ErrorCode::invalid_argument) == "invalid-argument");
  CHECK(to_string(ErrorCode::out_of_memory) == "out-of-memory");
  CHECK(to_string(ErrorCode::context_overflow) == "context-overflow");
  CHECK(to_string(ErrorCode::io) == "io");
}
