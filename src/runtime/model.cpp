#include "runtime/model.hpp"

#include "base/error.hpp"
#include "nn/decoder.hpp"
#include "nn/encoder.hpp"
#include "nn/vision.hpp"

namespace heed::runtime {

Model::Parts::Parts() = default;
Model::Parts::Parts(Parts&&) noexcept = default;
Model::Parts::~Parts() = default;

Model::Model(Parts parts) : parts_(std::move(parts)) {}
Model::~Model() = default;

const tokenizer::Tokenizer& Model::tokenizer() const {
  if (!parts_.tokenizer) throw Error(ErrorCode::unsupported, "has no vocabulary", info().architecture);
  return *parts_.tokenizer;
}

}  // namespace heed::runtime
