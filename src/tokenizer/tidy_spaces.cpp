#include "tokenizer/tidy_spaces.hpp"

namespace heed::tokenizer {
namespace {

std::string close_up_marks(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool before_mark = i + 1 < text.size() && std::string_view("?!.,").find(text[i + 1]) != std::string_view::npos;
    if (text[i] != ' ' || !before_mark) out.push_back(text[i]);
  }
  return out;
}

std::string close_up_lone_apostrophes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool lone = text.substr(i).starts_with(" ' ");
    out.push_back(lone ? '\'' : text[i]);
    i += lone ? 3 : 1;
  }
  return out;
}

std::string close_up_contractions(std::string_view text) {
  std::string out;
  for (; !text.empty(); text.remove_prefix(1)) {
    bool contraction = false;
    for (std::string_view ending : {" 's", " 'm", " 're", " 've"}) contraction |= text.starts_with(ending);
    if (!contraction) out.push_back(text[0]);
  }
  return out;
}

}  // namespace

std::string tidy_spaces(std::string_view text) { return close_up_contractions(close_up_lone_apostrophes(close_up_marks(text))); }

}  // namespace heed::tokenizer
