// An outline as a graph of parts: a nondeterministic automaton whose nodes are literals, constraints and searches for markers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grammar/language.hpp"
#include "grammar/masks/token_texts.hpp"
#include "grammar/outline/marker_search.hpp"
#include "grammar/schema/keywords.hpp"
#include "grammar/workspace.hpp"

namespace heed::grammar {

/// Index of a part.
using PartId = std::uint32_t;

struct Part {
  enum class Kind : std::uint8_t {
    end,         // of the text
    fork,        // any of `next`
    literal,     // `text`, then next[0]
    constraint,  // a text of `language`, then next[0]
    search,      // any text up to a marker; after marker i, next[i]
    free,        // like search, but may also end anywhere, followed by next.back()
  };

  Kind kind = Kind::end;
  std::vector<PartId> next = {};
  std::string text = {};
  std::shared_ptr<Language> language = {};  // shared by equal constraints
  MarkerSearch search = {};
};

/// All parts share a workspace.
struct Parts {
  std::shared_ptr<Workspace> workspace;
  std::vector<Part> parts = {};
  PartId start = 0;
  std::vector<Ignored> ignored = {};
};

/// Reads an outline (outline.hpp). Throws Refusal.
Parts read_parts(std::string_view outline, const TokenTexts& vocabulary);

}  // namespace heed::grammar
