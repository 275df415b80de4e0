// English punctuation put right after tokens have been joined, for vocabularies whose tokens were words and
// marks with spaces between them: the clean_up_tokenization_spaces of Hugging Face's tokenizers, as llama.cpp
// does it.
#pragma once

#include <string>
#include <string_view>

namespace heed::tokenizer {

/// Drops the space before . , ! ? and before 's 'm 're 've, and those on both sides of a lone apostrophe.
std::string tidy_spaces(std::string_view text);

}  // namespace heed::tokenizer
