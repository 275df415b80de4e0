#include "runtime/changes/adapters.hpp"

#include <new>
#include <string>

#include "base/error.hpp"
#include "formats/gguf.hpp"
#include "runtime/model.hpp"

namespace heed::runtime {
namespace {

constexpr const char *kAlpha = "adapter.lora.alpha", *kInvocation = "adapter.alora.invocation_tokens";

void require(const formats::Metadata& metadata, const char* key, const std::string& expected, ErrorCode code) {
  if (const std::string found = metadata.text(key); found != expected)
    throw Error(code, "is " + found + ", expected " + expected, key);
}

std::vector<tokenizer::TokenId> invocation_tokens(const formats::Metadata& metadata, std::size_t vocabulary) {
  std::vector<tokenizer::TokenId> tokens;
  const auto* stored = metadata.find<formats::Metadata::Integers>(kInvocation);
  if (!stored) return tokens;
  if (stored->empty()) throw Error(ErrorCode::invalid_file, "has no tokens", kInvocation);
  for (const std::int64_t id : *stored) {
    if (id < 0 || static_cast<std::uint64_t>(id) >= vocabulary)
      throw Error(ErrorCode::invalid_argument,
                  "token " + std::to_string(id) + " is outside the vocabulary of " + std::to_string(vocabulary), kInvocation);
    tokens.push_back(static_cast<tokenizer::TokenId>(id));
  }
  return tokens;
}

}  // namespace

std::shared_ptr<const Adapter> read_adapter(const Model& model, std::span<const std::byte> file) {
  const ModelInfo& info = model.info();
  if (!model.decoder() || model.encoder())
    throw Error(ErrorCode::unsupported, "adapters are for decoders alone", info.architecture);
  const formats::TensorFile header = formats::read_gguf_header(file);
  require(header.metadata, "general.type", "adapter", ErrorCode::invalid_file);
  require(header.metadata, "adapter.type", "lora", ErrorCode::unsupported);
  require(header.metadata, "general.architecture", info.architecture, ErrorCode::invalid_argument);
  const float alpha = header.metadata.number(kAlpha, 0.0f);
  auto invocation = invocation_tokens(header.metadata, info.vocabulary);
  try {
    return std::make_shared<const Adapter>(Adapter{nn::Adapter(header, file, alpha, model.matrices(), model.kernels()),
                                                   std::move(invocation)});
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, "not enough memory for " + std::to_string(file.size()) + " bytes", "adapter");
  }
}

}  // namespace heed::runtime
