#include "prompt.hpp"

namespace heed::bindings {

PromptParts::PromptParts(const val& parts, Use use) : pieces_(1) {
  for (const val& part : emscripten::vecFromJSArray<val>(parts)) {
    std::vector<tokenizer::PromptPart>& text = pieces_.back().text;
    if (part.isString()) {
      text.emplace_back(tokenizer::PlainText{texts_.emplace_back(part.as<std::string>())});
    } else if (const val ids = part["ids"]; !ids.isUndefined()) {
      text.emplace_back(lists_.emplace_back(ids_of(ids)));
    } else if (const val image = part["image"]; !image.isUndefined()) {
      const images::Size size{image["width"].as<std::size_t>(), image["height"].as<std::size_t>()};
      if (use == Use::plan) {
        images::check_size(size);
        pictures_.push_back({size, {}});
      } else {
        pictures_.push_back(images::picture_of(size, emscripten::convertJSArrayToNumberVector<std::uint8_t>(image["data"])));
      }
      pieces_.back().picture = &pictures_.back();
      read_option(part, "maxImageTokens", pieces_.back().most_tokens);
      pieces_.emplace_back();
    } else if (const val audio = part["audio"]; !audio.isUndefined()) {
      pieces_.back().sound = use == Use::plan
                                 ? runtime::planned_sound(audio["samples"].as<std::size_t>())
                                 : runtime::heard_sound(emscripten::convertJSArrayToNumberVector<float>(audio["data"]));
      pieces_.emplace_back();
    } else {
      text.emplace_back(tokenizer::ControlText{texts_.emplace_back(part["control"].as<std::string>())});
    }
  }
}

}  // namespace heed::bindings
