#include "runtime/model.hpp"

#include "nn/decoder.hpp"

namespace heed::runtime {

Model::Model(ModelInfo info, std::unique_ptr<tokenizer::Tokenizer> tokenizer, std::unique_ptr<nn::Decoder> decoder,
             std::unique_ptr<ThreadPool> pool)
    : info_(std::move(info)),
      tokenizer_(std::move(tokenizer)),
      decoder_(std::move(decoder)),
      pool_(std::move(pool)) {}

Model::~Model() = default;

}  // namespace heed::runtime
