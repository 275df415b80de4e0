#include "tokenizer/pretokenizer.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "tokenizer/letters.hpp"
#include "tokenizer/word_patterns.hpp"

namespace heed::tokenizer {
namespace {

using namespace patterns;

constexpr Pattern kDefault[] = {marks, gpt2, numbers, three_digits};
constexpr Pattern kGpt2[] = {gpt2};
constexpr Pattern kLlama3[] = {llama3};
constexpr Pattern kQwen2[] = {qwen2};
constexpr Pattern kQwen35[] = {qwen35};
constexpr Pattern kSeedCoder[] = {seed_coder};
constexpr Pattern kGpt4o[] = {gpt4o};
constexpr Pattern kTekken[] = {tekken};
constexpr Pattern kStarCoder[] = {number, gpt2};
constexpr Pattern kFalcon[] = {falcon_marks, gpt2, three_digits};
constexpr Pattern kBloom[] = {bloom};
constexpr Pattern kViking[] = {bloom, number};
constexpr Pattern kSuperBpe[] = {numbers, to_thousands, thousands};
constexpr Pattern kDeepSeekLlm[] = {newline, deepseek_llm_letters, deepseek_llm_marks, closing_spaces, east_asian, numbers};
constexpr Pattern kDeepSeekCoder[] = {newline, deepseek_coder_letters, deepseek_coder_marks, east_asian, number};
constexpr Pattern kDeepSeekV3[] = {three_numbers, han_and_kana, deepseek_v3_words};
constexpr Pattern kKimiK2[] = {kimi_k2};
constexpr Pattern kYoutu[] = {youtu_scripts, youtu_words};
constexpr Pattern kAfmoe[] = {up_to_numbers, up_to_thousands, afmoe_scripts, deepseek_v3_words};
constexpr Pattern kGraniteEmbedding[] = {granite_embedding};
constexpr Pattern kUfakzeka[] = {ufakzeka};
constexpr Pattern kJais2[] = {llama3, powers_of_spaces};
constexpr Pattern kExaoneMoe[] = {exaone_moe};
constexpr Pattern kK2Horizon[] = {k2_horizon};
constexpr Pattern kMiniCpm5[] = {three_numbers, llama3};
constexpr Pattern kLaguna[] = {lines, qwen2};
constexpr Pattern kSpark[] = {number, han_and_kana, spark_words};
constexpr Pattern kChameleon[] = {chameleon_images, chameleon_spaces, number, chameleon_mark, gpt2};
constexpr Pattern kTinyAya[] = {up_to_numbers, up_to_thousands, tiny_aya_words};

struct Family {
  std::string_view names;  // separated by spaces
  Pretokenizer pretokenizer;
};

constexpr Family kFamilies[] = {
    {"default", {.stages = kDefault, .tidy_spaces = true}},
    {"gpt-2 a.x-4.0 exaone4 gigachat jais jina-de jina-es jina-v1-en jina-v2-code jina-v2-de jina-v2-es "
     "mellum "
     "modern-bert mpt olmo phi-2 roberta-bpe",
     {.stages = kGpt2, .tidy_spaces = true}},
    {"granite-docling trillion", {.stages = kGpt2}},
    {"codeshell exaone mellum2 minerva-7b refact starcoder", {.stages = kStarCoder, .tidy_spaces = true}},
    {"command-r smollm", {.stages = kStarCoder}},
    {"falcon", {.stages = kFalcon, .tidy_spaces = true}},

    {"llama-bpe llama3 llama-v3 falcon-h1 falcon3 jina-v5-nano lfm2 midm-2.0 pixtral",
     {.stages = kLlama3, .tidy_spaces = true, .whole_words_first = true, .add_bos = true}},
    {"chatglm-bpe dbrx smaug-bpe", {.stages = kLlama3, .tidy_spaces = true}},
    {"glm4 glm5", {.stages = kLlama3, .tidy_spaces = true, .whole_words_first = true}},
    {"minicpm5", {.stages = kMiniCpm5, .tidy_spaces = true, .whole_words_first = true}},
    {"jais-2", {.stages = kJais2, .tidy_spaces = true}},
    {"k2-horizon", {.stages = kK2Horizon}},
    {"qwen2 bailingmoe bailingmoe2 deepseek-r1-qwen f2llmv2 grok-2 hunyuan kormo llada-moe solar-open", {.stages = kQwen2}},
    {"megrez stablelm2", {.stages = kQwen2, .tidy_spaces = true}},
    {"qwen35", {.stages = kQwen35}},
    {"seed-coder", {.stages = kSeedCoder}},
    {"ufakzeka", {.stages = kUfakzeka}},
    {"laguna", {.stages = kLaguna}},
    {"exaone-moe", {.stages = kExaoneMoe, .tidy_spaces = true}},

    {"gpt-4o kanana2 llama4 minimax-m2 talkie", {.stages = kGpt4o}},
    {"tekken", {.stages = kTekken, .whole_words_first = true, .add_bos = true}},
    {"granite-embed-multi-97m", {.stages = kGraniteEmbedding, .whole_words_first = true}},
    {"tiny_aya cohere2moe", {.stages = kTinyAya}},

    {"bloom gpt3-finnish", {.stages = kBloom, .tidy_spaces = true}},
    {"poro-chat", {.stages = kBloom}},
    {"viking", {.stages = kViking}},
    {"superbpe", {.stages = kSuperBpe}},

    {"deepseek-llm", {.stages = kDeepSeekLlm}},
    {"deepseek-coder", {.stages = kDeepSeekCoder}},
    {"deepseek-v3 hunyuan-dense hy_v4 joyai-llm", {.stages = kDeepSeekV3}},
    {"kimi-k2", {.stages = kKimiK2}},
    {"youtu", {.stages = kYoutu, .whole_words_first = true}},
    {"afmoe", {.stages = kAfmoe}},
    {"spark2_5", {.stages = kSpark}},
    {"chameleon", {.stages = kChameleon, .add_bos = true}},
};

bool lists(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    if (names.substr(0, end) == name) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

}  // namespace

const Pretokenizer& find_pretokenizer(std::string_view name) {
  for (const Family& family : kFamilies) {
    if (lists(family.names, name)) return family.pretokenizer;
  }
  throw Error(ErrorCode::unsupported, "pre-tokenizer \"" + std::string(name) + "\" is not supported", "tokenizer.ggml.pre");
}

std::vector<Character> read_characters(std::string_view text) {
  std::vector<Character> characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    const auto decoded = utf8::decode(text, utf8::Surrogates::accepted);
    const bool whole = decoded.sequence == utf8::Sequence::whole;
    const char32_t code_point = whole ? decoded.code_point : utf8::kReplacementCharacter;
    characters.push_back({code_point, category(code_point)});
    text.remove_prefix(whole ? decoded.length : 1);
  }
  return characters;
}

std::vector<Character> in_lower_case(std::span<const Character> text) {
  std::vector<Character> characters;
  characters.reserve(text.size());
  for (const Character& c : text) {
    const char32_t lower = lower_case(c.code_point);
    characters.push_back({lower, c.category});  // lower case keeps the category
    if (c.code_point == U'\u0130') characters.push_back({U'\u0307', kMark});
  }
  return characters;
}

}  // namespace heed::tokenizer
