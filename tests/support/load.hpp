// Loading models from memory, and running them.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "runtime/load.hpp"
#include "runtime/pictures/projector_file.hpp"
#include "support/reader.hpp"

namespace heed::test {

/// A model from the bytes of its file, handed over in chunks of this size.
inline std::unique_ptr<runtime::Model> load_bytes(std::span<const std::byte> file, runtime::LoadOptions options = {},
                                                  std::size_t chunk = std::size_t{1} << 20,
                                                  const runtime::FileKind* kind = nullptr) {
  runtime::Loader loader(std::move(options), kind);
  for (; !file.empty(); file = file.subspan(std::min(chunk, file.size()))) loader.write(file.first(std::min(chunk, file.size())));
  return loader.finish();
}

/// The same for an mmproj file.
inline std::unique_ptr<runtime::Model> load_projector(std::span<const std::byte> file, runtime::LoadOptions options = {}) {
  return load_bytes(file, std::move(options), std::size_t{1} << 20, &runtime::kProjectorFile);
}

/// Logits of all positions, T x V, read in batches of `batch` tokens by a new sequence; beside an encoder, once that
/// has read `source`.
inline std::vector<float> model_logits(const runtime::Model& model, std::span<const runtime::TokenId> tokens,
                                       std::size_t batch = runtime::kMaxBatch, std::span<const runtime::TokenId> source = {}) {
  Reader reader(model);
  if (!source.empty()) reader.encode(source);
  const std::size_t vocabulary = model.info().vocabulary;
  std::vector<float> logits(tokens.size() * vocabulary);
  for (std::size_t begin = 0; begin < tokens.size(); begin += batch) {
    const std::size_t count = std::min(batch, tokens.size() - begin);
    reader.forward(tokens.subspan(begin, count), std::span(logits).subspan(begin * vocabulary, count * vocabulary));
  }
  return logits;
}

}  // namespace heed::test
