// The word patterns of model families (pretokenizer.hpp). A comment at each definition has the regular expression.
#pragma once

#include "tokenizer/pretokenizer.hpp"

namespace heed::tokenizer::patterns {

using Text = std::span<const Character>;

// Patterns of a single stage.
Match gpt2(Text text) noexcept;
Match llama3(Text text) noexcept;
Match qwen2(Text text) noexcept;
Match qwen35(Text text) noexcept;
Match seed_coder(Text text) noexcept;
Match ufakzeka(Text text) noexcept;
Match exaone_moe(Text text) noexcept;
Match k2_horizon(Text text) noexcept;
Match gpt4o(Text text) noexcept;
Match tekken(Text text) noexcept;
Match granite_embedding(Text text) noexcept;
Match kimi_k2(Text text) noexcept;
Match bloom(Text text) noexcept;
Match clip(Text text) noexcept;

// Stages of patterns with several.
Match number(Text text) noexcept;
Match numbers(Text text) noexcept;
Match three_numbers(Text text) noexcept;
Match three_digits(Text text) noexcept;
Match to_thousands(Text text) noexcept;
Match thousands(Text text) noexcept;
Match up_to_numbers(Text text) noexcept;
Match up_to_thousands(Text text) noexcept;
Match marks(Text text) noexcept;
Match falcon_marks(Text text) noexcept;
Match newline(Text text) noexcept;
Match lines(Text text) noexcept;
Match powers_of_spaces(Text text) noexcept;
Match closing_spaces(Text text) noexcept;
Match deepseek_coder_letters(Text text) noexcept;
Match deepseek_coder_marks(Text text) noexcept;
Match deepseek_llm_letters(Text text) noexcept;
Match deepseek_llm_marks(Text text) noexcept;
Match deepseek_v3_words(Text text) noexcept;
Match spark_words(Text text) noexcept;
Match east_asian(Text text) noexcept;
Match han_and_kana(Text text) noexcept;
Match youtu_scripts(Text text) noexcept;
Match youtu_words(Text text) noexcept;
Match afmoe_scripts(Text text) noexcept;
Match tiny_aya_words(Text text) noexcept;
Match chameleon_images(Text text) noexcept;
Match chameleon_spaces(Text text) noexcept;
Match chameleon_mark(Text text) noexcept;

}  // namespace heed::tokenizer::patterns
