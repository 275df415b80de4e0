// Damaged headers: each is an Error or a header that keeps its promises; none causes a crash, a hang or excessive memory use.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>

#include "formats/gguf.hpp"
#include "support/damage.hpp"
#include "support/tiny_model.hpp"

using namespace heed;

namespace {

// The promises of TensorFile and TensorInfo to their users.
bool keeps_promises(const formats::TensorFile& file) {
  std::uint64_t end = 0;
  for (const auto& tensor : file.tensors) {
    const auto& type = info(tensor.dtype);
    const bool shaped = !tensor.shape.empty() && tensor.shape.size() <= 4 && std::ranges::count(tensor.shape, 0u) == 0;
    if (!shaped || tensor.columns() % type.block_values != 0) return false;
    std::uint64_t bytes = type.block_bytes * (tensor.columns() / type.block_values);
    for (std::size_t i = 0; i + 1 < tensor.shape.size(); ++i) bytes *= tensor.shape[i];
    if (bytes != tensor.bytes || tensor.offset < end || file.find(tensor.name) != &tensor) return false;
    end = tensor.offset + tensor.bytes;
  }
  return end <= file.bytes;
}

std::optional<formats::TensorFile> read_in_chunks(std::span<const std::byte> bytes, std::size_t size) {
  formats::GgufHeaderReader reader;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(size, bytes.size())))
    if (auto file = reader.write(bytes.first(std::min(size, bytes.size())))) return file;
  return std::nullopt;
}

}  // namespace

TEST_CASE("damaged headers are errors or sound, whatever the chunks", "[formats][hostile]") {
  const auto file = test::tiny_llama();
  formats::GgufHeaderReader whole;
  REQUIRE(whole.write(file));
  const auto header = static_cast<std::size_t>(whole.header_bytes());

  std::size_t refused = 0, accepted = 0, unfinished = 0;
  for (std::size_t index = 0; index < 500; ++index) {
    const auto bytes = test::damaged(file, header, index);
    try {
      const auto read = read_in_chunks(bytes, index % 3 == 0 ? 13 : 4096);
      if (read) CHECK(keeps_promises(*read));
      ++(read ? accepted : unfinished);
    } catch (const Error& error) {
      CHECK((error.code() == ErrorCode::invalid_file || error.code() == ErrorCode::unsupported));
      CHECK(error.message().size() < 300);
      ++refused;
    }
  }
  CHECK(refused > 100);   // the damage is real,
  CHECK(accepted > 100);  // and is not all of it
  CHECK(unfinished > 20);
}
