#include "tokenizer/tokenizer.hpp"

#include "base/error.hpp"
#include "tokenizer/byte_pair.hpp"
#include "tokenizer/character_pair.hpp"
#include "tokenizer/clip.hpp"
#include "tokenizer/plamo.hpp"
#include "tokenizer/rwkv.hpp"
#include "tokenizer/sentencepiece.hpp"
#include "tokenizer/unigram.hpp"
#include "tokenizer/whisper.hpp"
#include "tokenizer/wordpiece.hpp"

namespace heed::tokenizer {

std::unique_ptr<Tokenizer> make_tokenizer(const formats::Metadata& metadata) {
  constexpr const char* kModelKey = "tokenizer.ggml.model";
  const std::string model = metadata.text(kModelKey);
  if (model == "llama") return std::make_unique<SentencePiece>(metadata);
  if (model == "gpt2") {
    const std::string pre = metadata.text("tokenizer.ggml.pre", "default");
    if (pre == "gemma4" || pre == "granite-embed-multi-311m") return std::make_unique<CharacterPair>(metadata);
    return std::make_unique<BytePair>(metadata);
  }
  if (model == "gemma4") return std::make_unique<CharacterPair>(metadata);
  if (model == "t5") return std::make_unique<Unigram>(metadata);
  if (model == "bert") return std::make_unique<WordPiece>(metadata);
  if (model == "clip") return std::make_unique<Clip>(metadata);
  if (model == "whisper") return std::make_unique<Whisper>(metadata);
  if (model == "rwkv") return std::make_unique<Rwkv>(metadata);
  if (model == "plamo2" || model == "plamo3") return std::make_unique<Plamo>(metadata, model == "plamo2" ? 2 : 3);
  throw Error(ErrorCode::unsupported, "tokenizer \"" + model + "\" is not supported", kModelKey);
}

}  // namespace heed::tokenizer
