// Any bytes as the header and the tensors' headers of a file of whisper.cpp, whose weights are added: an Error, or a model. The seeds are
// small models without their weights.
#include <cstdlib>

#include "base/error.hpp"
#include "formats/whisper_file.hpp"
#include "fuzz/use_model.hpp"

using namespace heed;

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 20;

/// The file whose headers are in `input`; empty if it would be large or if its tensors end too soon.
std::vector<std::byte> with_weights(std::span<const std::byte> input) {
  formats::WhisperFileReader reader(kMostBytes * 32);
  std::vector<std::byte> whole(input.begin(), input.end());
  auto file = reader.write(input);
  if (!file || file->bytes > kMostBytes) return {};
  const std::vector<std::byte> rest = reader.take_rest();
  whole.resize(input.size() - rest.size());
  for (std::span<const std::byte> left = rest; !left.empty();) {
    std::span<const std::byte> one = left.first(1);
    left = left.subspan(1);
    whole.push_back(one.front());
    const auto run = reader.next(one);
    if (!run) continue;
    const auto tensor = std::ranges::find(file->tensors, run->offset, &formats::TensorInfo::offset);
    if (!run->begins || tensor == file->tensors.end()) std::abort();
    std::vector<std::byte> weights(static_cast<std::size_t>(tensor->bytes) - run->bytes.size(), std::byte{0x3c});
    std::span<const std::byte> added = weights;
    while (!added.empty() && reader.next(added)) continue;
    whole.insert(whole.end(), weights.begin(), weights.end());
  }
  reader.require_all();
  return whole;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::vector<std::byte> file = with_weights(std::as_bytes(std::span(data, size)));
    if (file.empty()) return 0;
    runtime::Loader loader(test::small_limits());
    const std::size_t piece = size % 5 == 0 ? 333 : std::size_t{1} << 16;
    for (std::span<const std::byte> left = file; !left.empty(); left = left.subspan(std::min(piece, left.size())))
      loader.write(left.first(std::min(piece, left.size())));
    test::use(*loader.finish());
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
