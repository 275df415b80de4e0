// Two texts as one sequence, as rerankers are trained on (arXiv:1810.04805, arXiv:1907.11692).
#pragma once

#include <string_view>
#include <vector>

#include "tokenizer/tokenizer.hpp"

namespace heed::tokenizer {

/// BERT: [CLS] first [SEP] second [SEP]. RoBERTa and derived models: <s> first </s></s> second </s>. Without special tokens if the
/// vocabulary does not add any.
std::vector<TokenId> encode_pair(const Tokenizer& tokenizer, std::string_view first, std::string_view second);

}  // namespace heed::tokenizer
