// The reader of whisper.cpp's files: whole, in pieces, in other orders, and damaged.
#include "formats/whisper_file.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstring>
#include <map>

#include "support/errors.hpp"
#include "support/whisper_writer.hpp"

using namespace heed;
using formats::Metadata;
using formats::TensorFile;
using formats::WhisperFileReader;
using test::check_throws;
using test::WhisperTensor;
using test::WhisperWriter;

namespace {

WhisperWriter small() {
  WhisperWriter writer;
  writer.width = 4;
  return writer;
}

struct Loaded {
  TensorFile file;
  std::map<std::string, std::vector<std::byte>> data;
};

/// Reads a file in pieces of this size.
Loaded load(std::span<const std::byte> bytes, std::size_t piece) {
  WhisperFileReader reader;
  std::optional<TensorFile> file;
  Loaded loaded;
  std::string name;
  const auto take = [&](std::span<const std::byte> rest) {
    while (const auto run = reader.next(rest)) {
      if (run->begins) {
        const auto tensor = std::ranges::find(file->tensors, run->offset, &formats::TensorInfo::offset);
        REQUIRE(tensor != file->tensors.end());
        name = tensor->name;
      }
      std::vector<std::byte>& data = loaded.data[name];
      CHECK(run->offset == file->find(name)->offset + data.size());
      data.insert(data.end(), run->bytes.begin(), run->bytes.end());
    }
  };
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size()))) {
    const auto part = bytes.first(std::min(piece, bytes.size()));
    if (file) {
      take(part);
    } else if ((file = reader.write(part))) {
      const std::vector<std::byte> rest = reader.take_rest();
      take(rest);
    }
  }
  REQUIRE(file);
  reader.require_all();
  loaded.file = std::move(*file);
  return loaded;
}

}  // namespace

TEST_CASE("a file of whisper.cpp has the metadata and tensors of a GGUF file", "[formats][whisper]") {
  WhisperWriter writer = small();
  const std::vector<std::byte> bytes = writer.finish();
  const Loaded loaded = load(bytes, bytes.size());
  const Metadata& metadata = loaded.file.metadata;
  CHECK(metadata.text("general.architecture") == "whisper");
  CHECK(metadata.count("whisper.audio.context_length") == 20);
  CHECK(metadata.count("whisper.context_length") == 448);
  CHECK(metadata.count("whisper.block_count") == 1);
  CHECK(metadata.require<Metadata::Floats>("whisper.audio.mel_filters").size() == 8 * 201);
  const auto& words = metadata.require<Metadata::Strings>("tokenizer.ggml.tokens");
  CHECK(words.size() == 51864);
  CHECK(words[64] == "A");
  CHECK(words.back().empty());
  CHECK(loaded.file.bytes == bytes.size());
  const formats::TensorInfo* const kernel = loaded.file.find("a.conv1d.1.weight");
  REQUIRE(kernel);
  CHECK(kernel->shape == std::vector<std::size_t>{4, 8, 3});
  CHECK(loaded.file.find("a.conv1d.1.bias")->shape == std::vector<std::size_t>{4});
  CHECK(loaded.data.size() == loaded.file.tensors.size());
  std::size_t total = 0;
  for (const auto& [name, data] : loaded.data) total += data.size();
  CHECK(total > bytes.size() * 9 / 10);
}

TEST_CASE("a file of whisper.cpp may come in pieces, and its tensors in any order", "[formats][whisper]") {
  WhisperWriter writer = small();
  writer.vocabulary = 51864;
  const auto sorted = [](std::vector<WhisperTensor>& tensors) { std::ranges::sort(tensors, {}, &WhisperTensor::name); };
  const auto expected = load(WhisperWriter(writer).finish(), 1 << 24).data;
  const std::vector<std::byte> other = WhisperWriter(writer).finish(sorted);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, std::size_t{1} << 24}) {
    INFO(piece);
    CHECK(load(other, piece).data == expected);
  }
}

TEST_CASE("damaged files of whisper.cpp are errors", "[formats][whisper]") {
  const auto read = [](WhisperWriter writer, const std::function<void(std::vector<WhisperTensor>&)>& change = {}) {
    return [writer, change]() mutable { load(writer.finish(change), 1 << 16); };
  };
  const auto with = [](auto member, auto value) {
    WhisperWriter writer = small();
    writer.*member = value;
    return writer;
  };
  constexpr auto kInvalid = ErrorCode::invalid_file;
  check_throws(kInvalid, "neither a GGUF file", read(with(&WhisperWriter::magic, 0x6c6c6c6cu)));
  check_throws(kInvalid, "n_vocab", read(with(&WhisperWriter::vocabulary, 51863u)));
  check_throws(kInvalid, "n_audio_ctx", read(with(&WhisperWriter::positions, 1501u)));
  check_throws(kInvalid, "n_audio_state", read(with(&WhisperWriter::heads, 3u)));
  check_throws(kInvalid, "n_audio_layer", read(with(&WhisperWriter::layers, 0u)));
  check_throws(ErrorCode::unsupported, "kind 5", read(with(&WhisperWriter::kind, 5u)));
  check_throws(kInvalid, "does not divide", read(with(&WhisperWriter::kind, 2007u)));
  const auto first = [](auto alter) { return [alter](std::vector<WhisperTensor>& tensors) { alter(tensors[0]); }; };
  check_throws(kInvalid, "lacks", read(small(), first([](WhisperTensor& tensor) { tensor.name = "encoder.conv3.bias"; })));
  check_throws(kInvalid, "does not promise", read(small(), first([](WhisperTensor& tensor) { tensor.sizes[0] = 5; })));
  check_throws(kInvalid, "does not promise", read(small(), first([](WhisperTensor& tensor) { tensor.type = 1; })));
  check_throws(kInvalid, "damaged", read(small(), first([](WhisperTensor& tensor) { tensor.sizes.clear(); })));
  check_throws(kInvalid, "twice", read(small(), [](std::vector<WhisperTensor>& tensors) {
                 tensors.push_back(tensors[0]);
                 tensors.erase(tensors.begin() + 1);
               }));
  check_throws(kInvalid, "lacks this tensor", read(small(), [](std::vector<WhisperTensor>& tensors) { tensors.pop_back(); }));
}

TEST_CASE("a header of whisper.cpp that claims more than it has does not allocate it", "[formats][whisper]") {
  WhisperWriter writer = small();
  writer.words = {std::string(100, 'a')};
  std::vector<std::byte> bytes = writer.finish();
  const std::size_t length = 4 + 13 * 4 + 8 * 201 * 4 + 4;
  const std::uint32_t claimed = 0xFFFFFFF0;
  std::memcpy(bytes.data() + length, &claimed, sizeof claimed);
  check_throws(ErrorCode::invalid_file, "16 MiB", [&] { load(bytes, 1 << 16); });
}
