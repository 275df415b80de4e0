// Any bytes as the header and the tensors' headers of a file of whisper.cpp, whose weights are added: an Error, or a model that hears. The
// seeds are small models without their weights. Some of the inputs become models.
#include <cstdlib>

#include "base/error.hpp"
#include "engine/transcription.hpp"
#include "formats/whisper_file.hpp"
#include "fuzz/chosen.hpp"
#include "fuzz/use_model.hpp"

using namespace heed;

namespace {

constexpr std::uint64_t kLoaded = 32;  // one of so many: it takes about so many times as long
constexpr std::uint64_t kMostBytes = std::uint64_t{2} << 20;

/// The file whose headers are in `input`; empty if it would be large, if its tensors end too soon, or if it is not `wanted`.
std::vector<std::byte> with_weights(std::span<const std::byte> input, bool wanted) {
  static const std::vector<std::byte> weights(kMostBytes, std::byte{0x3c});
  std::vector<std::byte> whole;
  const auto add = [&](std::span<const std::byte> bytes) {
    if (wanted) whole.insert(whole.end(), bytes.begin(), bytes.end());
  };
  formats::WhisperFileReader reader(kMostBytes * 32);
  const auto file = reader.write(input);
  if (!file || file->bytes > kMostBytes) return {};
  const std::vector<std::byte> rest = reader.take_rest();
  add(input.first(input.size() - rest.size()));
  for (std::span<const std::byte> left = rest; !left.empty();) {
    std::span<const std::byte> one = left.first(1);
    left = left.subspan(1);
    add(one);
    const auto run = reader.next(one);
    if (!run) continue;
    const auto tensor = std::ranges::find(file->tensors, run->offset, &formats::TensorInfo::offset);
    if (!run->begins || tensor == file->tensors.end()) std::abort();
    std::span<const std::byte> added = std::span(weights).first(static_cast<std::size_t>(tensor->bytes) - run->bytes.size());
    add(added);
    while (!added.empty() && reader.next(added)) continue;
  }
  reader.require_all();
  return whole;
}

/// The first passes of a transcription.
void hear(const runtime::Model& model) {
  runtime::Workspace workspace(model);
  engine::Transcription heard(workspace, {audio::kRate, std::vector<float>(500, 0.25f)},
                              {.language = "auto", .max_tokens = 2, .temperatures = {0}, .words = true});
  for (int passes = 0; passes < 8 && !heard.state().done(); ++passes) heard.step();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  try {
    const std::vector<std::byte> file = with_weights(std::as_bytes(input), test::is_chosen(input, kLoaded));
    if (file.empty()) return 0;
    runtime::LoadOptions options = test::small_limits();
    options.context_length = {};  // transcriptions need all of it
    runtime::Loader loader(std::move(options));
    const std::size_t piece = size % 5 == 0 ? 333 : std::size_t{1} << 16;
    for (std::span<const std::byte> left = file; !left.empty(); left = left.subspan(std::min(piece, left.size())))
      loader.write(left.first(std::min(piece, left.size())));
    hear(*loader.finish());
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
