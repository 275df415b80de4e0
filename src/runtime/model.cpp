#include "runtime/model.hpp"

#include "base/error.hpp"
#include "nn/assistant.hpp"
#include "nn/audio_encoder.hpp"
#include "nn/drafts.hpp"
#include "nn/encoder.hpp"
#include "nn/vision.hpp"

namespace heed::runtime {

Model::Parts::Parts() = default;
Model::Parts::Parts(Parts&&) noexcept = default;
Model::Parts::~Parts() = default;

Model::Model(Parts parts) : parts_(std::move(parts)) {}
Model::~Model() = default;

void Model::share_tables(const Model& other) noexcept {
  if (!other.decoder()) return;
  if (parts_.draft) parts_.info.memory_bytes -= parts_.draft->share(*other.decoder());
  if (parts_.decoder) parts_.info.memory_bytes -= parts_.decoder->share(*other.decoder());
}

const tokenizer::Tokenizer& Model::tokenizer() const {
  if (!parts_.tokenizer) throw Error(ErrorCode::unsupported, "has no vocabulary", info().architecture);
  return *parts_.tokenizer;
}

}  // namespace heed::runtime
