#include "formats/gguf.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "support/errors.hpp"
#include "support/files.hpp"
#include "support/gguf_writer.hpp"

using namespace heed;
using formats::GgufHeaderReader;
using formats::Metadata;
using formats::read_gguf_header;
using formats::TensorFile;
using test::ByteWriter;
using test::check_throws;
using test::GgufTensor;
using test::GgufWriter;

namespace {

constexpr std::array<float, 6> kValues = {0, 1, 2, 3, 4, 5};
constexpr std::size_t kShape[] = {2, 3};

// A file with something of every kind.
std::vector<std::byte> sample(std::uint32_t version = 3) {
  GgufWriter writer;
  writer.version = version;
  writer.set("general.architecture", "llama")
      .set("a.u8", std::uint8_t{200})
      .set("a.i8", std::int8_t{-100})
      .set("a.u16", std::uint16_t{60000})
      .set("a.i16", std::int16_t{-30000})
      .set("a.u32", std::uint32_t{4000000000})
      .set("a.i32", std::int32_t{-2000000000})
      .set("a.u64", std::uint64_t{1} << 40)
      .set("a.i64", -(std::int64_t{1} << 40))
      .set("a.f32", 0.5f)
      .set("a.f64", 0.1)
      .set("a.flag", true)
      .set("list.text", std::vector<std::string>{"", "one", "two"})
      .set("list.f32", std::vector<float>{1.5f, -2.0f})
      .set("list.f64", std::vector<double>{0.25})
      .set("list.i8", std::vector<std::int8_t>{-128, 127})
      .set("list.u16", std::vector<std::uint16_t>{0, 65535})
      .set("list.i16", std::vector<std::int16_t>{-32768, 5})
      .set("list.i32", std::vector<std::int32_t>{-1, 2})
      .set("list.bool", std::vector<bool>{true, false})
      .set("list.empty", std::vector<std::int64_t>{});
  writer.tensor("first", kShape, kValues).tensor("second", kShape, kValues);
  writer.tensor({.name = "blocks", .dimensions = {64, 2}, .type = 8, .data = std::vector<std::byte>(4 * 34)});
  return writer.finish();
}

void check_sample(const TensorFile& file) {
  const auto& metadata = file.metadata;
  CHECK(metadata.values().size() == 21);
  CHECK(metadata.text("general.architecture") == "llama");
  CHECK(metadata.require<std::int64_t>("a.u8") == 200);
  CHECK(metadata.require<std::int64_t>("a.i8") == -100);
  CHECK(metadata.require<std::int64_t>("a.u16") == 60000);
  CHECK(metadata.require<std::int64_t>("a.i16") == -30000);
  CHECK(metadata.count("a.u32") == 4000000000);
  CHECK(metadata.require<std::int64_t>("a.i32") == -2000000000);
  CHECK(metadata.require<std::int64_t>("a.u64") == std::int64_t{1} << 40);
  CHECK(metadata.require<std::int64_t>("a.i64") == -(std::int64_t{1} << 40));
  CHECK(metadata.number("a.f32") == 0.5f);
  CHECK(metadata.require<double>("a.f64") == 0.1);
  CHECK(metadata.flag("a.flag", false));
  CHECK(metadata.require<Metadata::Strings>("list.text") == Metadata::Strings{"", "one", "two"});
  CHECK(metadata.require<Metadata::Floats>("list.f32") == Metadata::Floats{1.5f, -2.0f});
  CHECK(metadata.require<Metadata::Floats>("list.f64") == Metadata::Floats{0.25f});
  CHECK(metadata.require<Metadata::Integers>("list.i8") == Metadata::Integers{-128, 127});
  CHECK(metadata.require<Metadata::Integers>("list.u16") == Metadata::Integers{0, 65535});
  CHECK(metadata.require<Metadata::Integers>("list.i16") == Metadata::Integers{-32768, 5});
  CHECK(metadata.require<Metadata::Integers>("list.i32") == Metadata::Integers{-1, 2});
  CHECK(metadata.require<Metadata::Integers>("list.bool") == Metadata::Integers{1, 0});
  CHECK(metadata.require<Metadata::Integers>("list.empty").empty());

  REQUIRE(file.tensors.size() == 3);
  const auto* second = file.find("second");
  REQUIRE(second == &file.tensors[1]);
  CHECK(second->dtype == DType::f32);
  CHECK(second->shape == std::vector<std::size_t>{2, 3});
  CHECK(second->rows() == 2);
  CHECK(second->columns() == 3);
  CHECK(second->bytes == 24);
  CHECK(second->offset == file.tensors[0].offset + 32);
  const auto* blocks = file.find("blocks");
  REQUIRE(blocks != nullptr);
  CHECK(blocks->dtype == DType::q8_0);
  CHECK(blocks->bytes == 4 * 34);
  CHECK(file.find("third") == nullptr);
  CHECK(file.bytes == sample().size());
}

// A file with only this tensor.
std::vector<std::byte> with_tensor(GgufTensor tensor) { return GgufWriter().tensor(std::move(tensor)).finish(); }

// A file whose only metadata entry has this type and value.
std::vector<std::byte> with_value(const ByteWriter& type_and_value) {
  return GgufWriter().set_raw("some.key", type_and_value.bytes()).finish();
}

void check_invalid(const std::string& message, std::span<const std::byte> bytes) {
  check_throws(ErrorCode::invalid_file, message, [&] { read_gguf_header(bytes); });
}

void check_unsupported(const std::string& message, std::span<const std::byte> bytes) {
  check_throws(ErrorCode::unsupported, message, [&] { read_gguf_header(bytes); });
}

}  // namespace

TEST_CASE("a GGUF header is read whole, in versions 2 and 3", "[formats]") {
  for (const std::uint32_t version : {2, 3}) {
    const auto file = read_gguf_header(sample(version));
    CHECK(file.format == "GGUF " + std::to_string(version));
    check_sample(file);
  }
}

TEST_CASE("a GGUF header is the same however it is cut into chunks", "[formats]") {
  const auto bytes = sample();
  for (const std::size_t size : {1, 2, 3, 7, 64, 1000, 100000}) {
    GgufHeaderReader reader;
    std::optional<TensorFile> file;
    std::size_t taken = 0;
    while (!file && taken < bytes.size()) {
      const auto chunk = std::span(bytes).subspan(taken, std::min(size, bytes.size() - taken));
      file = reader.write(chunk);
      taken += chunk.size();
    }
    REQUIRE(file);
    check_sample(*file);
    const auto rest = reader.take_rest();
    CHECK(reader.header_bytes() + rest.size() == taken);
    CHECK(std::ranges::equal(rest, std::span(bytes).subspan(static_cast<std::size_t>(reader.header_bytes()), rest.size())));
    CHECK(reader.header_bytes() <= file->tensors[0].offset);
  }
}

TEST_CASE("a GGUF that holds only a vocabulary has no tensors", "[formats]") {
  const auto bytes = GgufWriter().set("tokenizer.ggml.tokens", std::vector<std::string>{"a"}).finish();
  const auto file = read_gguf_header(bytes);
  CHECK(file.tensors.empty());
  CHECK(file.bytes <= bytes.size());
  CHECK(file.metadata.contains("tokenizer.ggml.tokens"));
}

TEST_CASE("a header cut anywhere is an error, and so is a file cut before its tensors end", "[formats]") {
  const auto bytes = sample();
  GgufHeaderReader reader;
  reader.write(bytes);
  for (std::size_t size = 0; size < reader.header_bytes(); ++size)
    check_invalid("ends inside its header", std::span(bytes).first(size));
  const auto file = read_gguf_header(bytes);
  CHECK_NOTHROW(file.require_bytes(bytes.size()));
  check_throws(ErrorCode::invalid_file, "the file ends after 100 of", [&] { file.require_bytes(100); });
}

TEST_CASE("files that are not GGUF, or another version, are rejected with the reason", "[formats]") {
  check_invalid("this is not a GGUF file", std::as_bytes(std::span("<!DOCTYPE html>")));
  check_unsupported("GGUF version 1 is not supported", sample(1));
  check_unsupported("GGUF version 4 is not supported", sample(4));
  check_unsupported("big-endian", sample(0x03000000));
}

TEST_CASE("hostile counts are refused before anything is allocated for them", "[formats]") {
  constexpr std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  GgufWriter writer;
  writer.claimed_metadata = huge;
  check_invalid("more than 64 MiB", writer.finish());
  writer.claimed_metadata = 0;
  writer.claimed_tensors = huge / 64;
  check_invalid("more than 64 MiB", writer.finish());
  writer.claimed_tensors = 1000000;
  writer.alignment = 1;  // no padding, which would be read as a tensor
  check_invalid("ends inside its header", writer.finish());
  for (const std::uint32_t type : {0, 4, 7, 8, 10, 12}) {
    check_invalid("more than 64 MiB", with_value(ByteWriter().put(9u).put(type).put(huge)));
    check_invalid("more than 64 MiB", with_value(ByteWriter().put(9u).put(type).put(huge / 8 + 2)));
    check_invalid("ends inside its header", with_value(ByteWriter().put(9u).put(type).put(std::uint64_t{50000})));
  }
  check_invalid("more than 64 MiB", with_value(ByteWriter().put(8u).put(huge)));
  check_invalid("more than 64 MiB", with_value(ByteWriter().put(8u).put(std::uint64_t{1} << 31)));
}

TEST_CASE("metadata takes no more memory than it is granted", "[formats]") {
  const auto check_refused = [](std::uint64_t memory, std::span<const std::byte> file) {
    GgufHeaderReader reader(memory);
    check_throws(ErrorCode::out_of_memory, " for the first part of its metadata, but the limit is ", [&] { reader.write(file); });
  };
  const std::vector<std::byte> empty = GgufWriter().finish();
  CHECK(GgufHeaderReader(10'000).write(empty));
  check_refused(100, empty);

  GgufWriter keys;
  for (int i = 0; i < 10'000; ++i) keys.set("key." + std::to_string(i), i);
  check_refused(1'000'000, keys.finish());
  CHECK(GgufHeaderReader(3'000'000).write(keys.finish()));

  const auto strings = GgufWriter().set("list", std::vector<std::string>(10'000, "x")).finish();
  check_refused(1'000'000, strings);
  CHECK(GgufHeaderReader(3'000'000).write(strings));

  // before the numbers themselves have come
  constexpr std::uint64_t kCount = 10'000'000;
  check_refused(16 << 20, with_value(ByteWriter().put(9u).put(0u).put(kCount).put(std::uint64_t{0})));
}

TEST_CASE("lists of lists are read past, in any chunks", "[formats]") {
  const auto list = [](std::uint32_t type, std::uint64_t count) { return ByteWriter().put(type).put(count); };
  const auto chain = [&](int lists) {  // each the only element of the one before
    ByteWriter value;
    value.put(9u);
    for (int i = 1; i < lists; ++i) value.append(list(9, 1).bytes());
    return value.append(list(4, 1).bytes()).put(7u);
  };
  ByteWriter mixed;
  mixed.put(9u).append(list(9, 5).bytes());
  mixed.append(list(4, 3).bytes()).put(1u).put(2u).put(3u);
  mixed.append(list(8, 2).bytes()).put(std::string_view("one")).put(std::string_view());
  mixed.append(list(10, 1).bytes()).put(std::numeric_limits<std::uint64_t>::max());
  mixed.append(list(9, 2).bytes()).append(list(9, 0).bytes()).append(list(12, 0).bytes());
  mixed.append(list(7, 1).bytes()).put(std::uint8_t{1});
  for (const ByteWriter& value : {mixed, chain(2), chain(8)}) {
    const auto bytes = GgufWriter().set("before", 1).set_raw("lists", value.bytes()).set("after", 2).finish();
    for (const std::size_t size : {std::size_t{1}, std::size_t{7}, bytes.size()}) {
      GgufHeaderReader reader;
      std::optional<TensorFile> file;
      for (std::size_t begin = 0; !file; begin += size) {
        REQUIRE(begin < bytes.size());
        file = reader.write(std::span(bytes).subspan(begin, std::min(size, bytes.size() - begin)));
      }
      CHECK(file->metadata.count("before") == 1);
      CHECK(file->metadata.count("after") == 2);
      CHECK_FALSE(file->metadata.contains("lists"));
    }
  }
  check_invalid("some.key: has lists nested more than 8 deep", with_value(chain(9)));
  check_invalid("some.key: the metadata has unknown type 13",
                with_value(ByteWriter().put(9u).append(list(9, 1).bytes()).append(list(13, 1).bytes())));
  check_invalid("more than 64 MiB", with_value(ByteWriter().put(9u).append(list(9, std::uint64_t{1} << 40).bytes())));
  check_invalid("more than 64 MiB",
                with_value(ByteWriter().put(9u).append(list(9, 1).bytes()).append(list(0, std::uint64_t{1} << 40).bytes())));
  check_invalid("ends inside its header", with_value(ByteWriter().put(9u).append(list(9, 60'000'000).bytes())));
}

TEST_CASE("a tensor without dimensions is a number", "[formats]") {
  const auto bytes = GgufWriter().tensor({.name = "one", .dimensions = {}, .data = std::vector<std::byte>(4)}).finish();
  CHECK(read_gguf_header(bytes).find("one")->shape == std::vector<std::size_t>{1});
}

TEST_CASE("malformed metadata is refused, naming the key", "[formats]") {
  check_invalid("some.key: the metadata has unknown type 13", with_value(ByteWriter().put(13u).put(0)));
  check_invalid("some.key: the metadata has unknown type 77", with_value(ByteWriter().put(9u).put(77u).put(std::uint64_t{0})));
  check_invalid("some.key: a boolean", with_value(ByteWriter().put(7u).put(std::uint8_t{2})));
  check_unsupported("some.key: the value 18446744073709551615",
                    with_value(ByteWriter().put(10u).put(std::numeric_limits<std::uint64_t>::max())));
  check_invalid("twice: the metadata appears twice",
                GgufWriter().set("twice", 1).set("twice", std::vector<std::string>{"x"}).finish());
  check_invalid("a metadata key is not printable", GgufWriter().set("", 1).finish());
  check_invalid("a metadata key is not printable", GgufWriter().set("new\nline", 1).finish());
  check_invalid("a metadata key is longer", GgufWriter().set(std::string(65536, 'k'), 1).finish());
  for (const std::uint32_t alignment : {0, 24})
    check_invalid("general.alignment", GgufWriter().set("general.alignment", alignment).finish());
}

TEST_CASE("the alignment is the file's own", "[formats]") {
  GgufWriter writer;
  writer.alignment = 256;
  writer.set("general.alignment", std::uint32_t{256}).tensor("a", kShape, kValues).tensor("b", kShape, kValues);
  const auto bytes = writer.finish();
  const auto file = read_gguf_header(bytes);
  CHECK(file.tensors[0].offset % 256 == 0);
  CHECK(file.tensors[1].offset == file.tensors[0].offset + 256);
  CHECK(file.bytes == bytes.size());
}

TEST_CASE("malformed tensors are refused, naming the tensor", "[formats]") {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  check_invalid("w: the tensor has 5 dimensions", with_tensor({.name = "w", .dimensions = {1, 1, 1, 1, 1}}));
  check_invalid("w: a dimension", with_tensor({.name = "w", .dimensions = {4, 0}}));
  check_invalid("w: a dimension", with_tensor({.name = "w", .dimensions = {most}}));
  check_invalid("w: a dimension", with_tensor({.name = "w", .dimensions = {1u << 31, 1u << 31, 1u << 31, 1u << 31}}));
  check_invalid("w: rows of 40 values are not whole blocks of Q8_0", with_tensor({.name = "w", .dimensions = {40, 4}, .type = 8}));
  check_invalid("w: rows of 32 values are not whole blocks of Q6_K", with_tensor({.name = "w", .dimensions = {32, 8}, .type = 14}));
  check_invalid("w: the tensor's offset", with_tensor({.name = "w", .dimensions = {8}, .offset = 4}));
  check_invalid("w: the tensor's offset", with_tensor({.name = "w", .dimensions = {8}, .offset = most - 31}));
  check_unsupported("w: tensors of type Q8_K", with_tensor({.name = "w", .dimensions = {256}, .type = 15}));
  check_unsupported("w: tensors of type number 1234", with_tensor({.name = "w", .dimensions = {256}, .type = 1234}));
  check_invalid("a tensor name is not printable", with_tensor({.name = "", .dimensions = {1}}));
}

TEST_CASE("tensors of one name, or that overlap, are refused", "[formats]") {
  GgufWriter twice;
  twice.tensor("same", kShape, kValues).tensor("other", kShape, kValues).tensor("same", kShape, kValues);
  check_invalid("same: the tensor appears twice", twice.finish());

  const std::vector<std::byte> data(64);
  GgufWriter overlap;
  overlap.tensor({.name = "long", .dimensions = {16}, .data = data});
  overlap.tensor({.name = "inside", .dimensions = {1}, .data = data, .offset = 32});
  check_invalid("inside: the tensor overlaps", overlap.finish());
}

TEST_CASE("tensors come in order of offset, whatever the order of the directory", "[formats]") {
  const std::vector<std::byte> data(32);
  GgufWriter writer;
  writer.tensor({.name = "a", .dimensions = {8}, .data = data, .offset = 64});
  writer.tensor({.name = "b", .dimensions = {8}, .data = data, .offset = 0});
  writer.tensor({.name = "c", .dimensions = {8}, .data = data, .offset = 32});
  const auto file = read_gguf_header(writer.finish());
  REQUIRE(file.tensors.size() == 3);
  CHECK(file.tensors[0].name == "b");
  CHECK(file.tensors[1].name == "c");
  CHECK(file.tensors[2].name == "a");
  CHECK(file.find("a") == &file.tensors[2]);
}

TEST_CASE("a real header is read", "[formats]") {
  const auto bytes = test::read_bytes(test::shared_file("models/stories260K.gguf"));
  const auto file = read_gguf_header(bytes);
  CHECK(file.metadata.text("general.architecture") == "llama");
  CHECK(file.metadata.count("llama.block_count") == 5);
  CHECK(file.metadata.count("llama.attention.head_count_kv") == 4);
  CHECK(file.metadata.require<Metadata::Strings>("tokenizer.ggml.tokens").size() == 512);
  const auto* embedding = file.find("token_embd.weight");
  REQUIRE(embedding != nullptr);
  CHECK(embedding->shape == std::vector<std::size_t>{512, 64});
  CHECK(file.bytes == bytes.size());
}
