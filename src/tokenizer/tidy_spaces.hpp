// Removes spaces before English punctuation in decoded text, for vocabularies whose tokens are words and marks separated by spaces:
// clean_up_tokenization_spaces of Hugging Face's tokenizers, as in llama.cpp.
#pragma once

#include <string>
#include <string_view>

namespace heed::tokenizer {

/// Removes the space before . , ! ? and before 's 'm 're 've, and the spaces around a single apostrophe.
std::string tidy_spaces(std::string_view text);

}  // namespace heed::tokenizer
