#include "runtime/model.hpp"

#include "nn/decoder.hpp"
#include "nn/encoder.hpp"

namespace heed::runtime {

Model::Parts::Parts() = default;
Model::Parts::Parts(Parts&&) noexcept = default;
Model::Parts::~Parts() = default;

Model::Model(Parts parts) : parts_(std::move(parts)) {}
Model::~Model() = default;

}  // namespace heed::runtime
