#include "grammar/masks/lexeme_masks.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "grammar/masks/derivative_table.hpp"
#include "grammar/masks/trie_walk.hpp"

namespace heed::grammar {
namespace {

constexpr std::size_t kLexemeMasksKept = 512;         // masks; each TokenSet takes one bit per token
constexpr std::size_t kMostDerivatives = 256;         // states of a DerivativeTable
constexpr std::uint32_t kLeastSkipped = 2;            // entries in a branch; smaller branches are walked
constexpr std::size_t kCheapWalkDivisor = 4;          // a walk of at most size / 4 nodes is tried before other algorithms
constexpr std::size_t kUnsureDivisor = 8;             // if more than V / 8 tokens must be checked one by one, the trie is walked
constexpr std::size_t kMostCharacterClasses = 16;     // that have CharacterTokens, besides the classes of all characters
constexpr std::string_view kUsualBytes = "ae10 _-A";  // typical first bytes, which similar() tries

std::pair<std::uint32_t, std::uint32_t> begin_of(const Branches& branches) { return {branches.entry, branches.depth}; }

/// Whether the node is in one of the branches. `branches` is sorted.
bool lies_in(const std::vector<Branches>& branches, const TokenTrie::Node& node) {
  const auto after = std::ranges::upper_bound(branches, std::pair(node.entry, std::uint32_t{node.depth}), {}, begin_of);
  return after != branches.begin() && node.entry < std::prev(after)->end;
}

}  // namespace

std::size_t LexemeMasks::KeyHash::operator()(const Key& key) const noexcept {
  std::uint64_t mixed = 0;
  for (const std::uint32_t part : {static_cast<std::uint32_t>(key.regular), key.branches.entry, key.branches.depth,
                                   key.branches.end, std::uint32_t{key.exits}})
    mixed = (mixed ^ part) * 0x9e3779b97f4a7c15;
  return static_cast<std::size_t>(mixed >> 32);
}

LexemeMasks::LexemeMasks(const TokenTable& table, RegularPool& pool)
    : table_(table), trie_(table.trie()), pool_(pool), kept_(kLexemeMasksKept) {
  // Builds the tables for classes that the language contains now (once per vocabulary), so that no mask waits for them later.
  bool found = false;
  for (const Spelling spelling : {Spelling::raw, Spelling::json_canonical, Spelling::json_any}) {
    const std::size_t known = pool.size();
    spelled_.emplace_back(pool.characters(CodePoints::all(), spelling), spelling);
    if (pool.size() != known) continue;
    found = true;
    table_.characters(spelling);
  }
  if (found) table_.branch_kinds();
}

const LexemeMask& LexemeMasks::of(Regular regular, const Branches& branches, bool exits) {
  const bool whole = branches == trie_.all();
  if (whole) regular = normal(regular);
  const Key key{regular, branches, exits};
  if (const LexemeMask* known = kept_.find(key)) return *known;
  LexemeMask mask = whole ? of_whole(regular, exits) : walk_all(regular, branches, exits);
  tidy(mask);
  return kept_.add(key, std::move(mask));
}

/// Chooses the cheapest algorithm.
LexemeMask LexemeMasks::of_whole(Regular regular, bool exits) {
  std::optional<LexemeMask> mask;
  if (const auto repeated = run(regular, false)) mask = of_run(*repeated, exits);
  else if (const auto limited = pool_.limited(regular)) mask = of_limited(regular, *limited, exits);
  else if (const auto like = similar(regular, false)) mask = of_similar(regular, *like, of(*like, trie_.all(), exits), exits);
  const bool many = !mask && leads_to_many(regular);
  if (many) mask = walk_many(regular, exits, trie_.size() / kCheapWalkDivisor);
  if (!mask) {
    if (const auto repeated = run(regular, true)) mask = of_run(*repeated, exits);
    else if (const auto like = similar(regular, true)) mask = of_similar(regular, *like, of(*like, trie_.all(), exits), exits);
  }
  if (!mask && many) mask = walk_many(regular, exits, SIZE_MAX);
  return mask ? std::move(*mask) : walk_all(regular, trie_.all(), exits);
}

/// The tokens of a class. nullptr if they are not known and `may_build` is false, or if there are too many classes. Building walks
/// the vocabulary.
const CharacterTokens* LexemeMasks::known_characters(Regular character, bool may_build) {
  for (const auto& [known, spelling] : spelled_) {
    if (known == character) return &table_.characters(spelling);
  }
  const auto found = characters_.find(character);
  if (found != characters_.end()) return found->second.get();
  if (!may_build || characters_.size() == kMostCharacterClasses) return nullptr;
  return characters_.emplace(character, std::make_unique<CharacterTokens>(trie_, pool_, character)).first->second.get();
}

std::optional<LexemeMasks::Run> LexemeMasks::run(Regular regular, bool may_build) {
  const auto counted = pool_.counted(regular);
  if (!counted || counted->max <= 1 || !bytes_after(counted->character, counted->rest)) return std::nullopt;
  const CharacterTokens* characters = known_characters(counted->character, may_build);
  if (characters == nullptr) return std::nullopt;
  return Run{*counted, characters};
}

Regular LexemeMasks::normal(Regular regular) {
  if (const auto limited = pool_.limited(regular)) {
    const bool out_of_reach = limited->max >= trie_.longest() + limited->most_left;
    return out_of_reach ? normal(pool_.concat(limited->texts, limited->rest)) : regular;
  }
  const auto counted = pool_.counted(regular);
  if (!counted || counted->max <= 1) return regular;
  const auto& [character, min, max, rest] = *counted;
  const CharacterTokens* characters = known_characters(character, false);
  const auto longest = characters ? characters->longest() + 1 : static_cast<std::uint32_t>(trie_.longest()) + 1;
  const bool unlimited = max >= longest;
  if (min <= longest && (max == kUnlimited || !unlimited)) return regular;
  const auto limit = unlimited ? std::nullopt : std::optional<std::uint64_t>(max);
  return pool_.concat(pool_.repeat(character, std::min(min, longest), limit), rest);
}

LexemeMask LexemeMasks::walk_all(Regular regular, const Branches& branches, bool exits) const {
  LexemeMask mask;
  walk(trie_, branches, regular, [&](const TokenTrie::Node& node, Regular before, Regular& after) {
    if (exits && pool_.accepts_empty(before)) mask.exits.push_back(node);
    after = pool_.derive(before, node.byte);
    if (after == Regular::kNothing) return false;
    trie_.tokens(node, [&](TokenId token) { mask.tokens.push_back(token); });
    return true;
  });
  return mask;
}

/// Whether more than 1/8 of the vocabulary has a viable first byte, so that a DerivativeTable and a TokenSet are worth their
/// memory.
bool LexemeMasks::leads_to_many(Regular regular) const {
  std::size_t reached = 0;
  trie_.first_bytes([&](std::uint8_t byte, std::uint32_t entries) {
    if (pool_.derive(regular, byte) != Regular::kNothing) reached += entries;
  });
  return reached > trie_.size() / 8;
}

/// Skips branches that leave the expression unchanged: most of the vocabulary for a pattern that may match anywhere in a text.
/// nullopt if too many nodes or derivatives remain.
std::optional<LexemeMask> LexemeMasks::walk_many(Regular regular, bool exits, std::size_t most_nodes) const {
  LexemeMask mask;
  std::size_t walked = 0;
  mask.set.emplace(trie_.vocabulary_size());
  DerivativeTable table(pool_, regular);
  const BranchKinds& kinds = table_.branch_kinds();
  // Does not use walk(), for speed: only here is most of a vocabulary walked.
  std::vector<std::uint32_t> states(trie_.longest() + 1);  // before each byte of a text
  states[0] = DerivativeTable::kStart;
  for (std::uint32_t entry = 0, next; entry < trie_.size(); entry = next) {
    const TokenTrie::Entry at = trie_.entry(entry);
    const auto shared = static_cast<std::uint32_t>(at.shared);
    std::uint32_t state = states[shared];
    if (at.span >= kLeastSkipped && !(exits && table.accepts_empty(state)) && table.stays(state, kinds[entry])) {
      next = entry + static_cast<std::uint32_t>(at.span);
      trie_.insert({entry, shared, next}, *mask.set);
      continue;
    }
    const std::string_view text = trie_.text(entry);
    walked += text.size() - shared;
    if (table.size() > kMostDerivatives || walked > most_nodes) return std::nullopt;
    std::uint32_t depth = shared;
    for (; depth < text.size(); ++depth) {
      const auto byte = static_cast<std::uint8_t>(text[depth]);
      if (exits && table.accepts_empty(state))
        mask.exits.push_back({entry, static_cast<std::uint16_t>(depth), byte, depth + 1 == text.size()});
      state = table.step(state, byte);
      if (state == DerivativeTable::kDead) break;
      states[depth + 1] = state;
    }
    next = depth < text.size() ? trie_.end(entry, depth) : entry + 1;
    if (depth == text.size()) mask.set->insert(static_cast<TokenId>(at.token));
  }
  trie_.insert_twins(*mask.set);
  return mask;
}

/// The mask of a run. nullopt if the lexeme may end after each character of the run.
std::optional<LexemeMask> LexemeMasks::of_run(const Run& run, bool exits) const {
  const auto& [character, min, max, rest] = run.counted;
  if (exits && pool_.accepts_empty(rest)) return std::nullopt;
  const auto following = bytes_after(character, rest);
  LexemeMask mask;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (!following->contains(static_cast<std::uint8_t>(byte))) continue;
    const Regular first = pool_.derive(rest, static_cast<std::uint8_t>(byte));
    for (const CharacterTokens::Edge& edge : run.characters->edges(static_cast<std::uint8_t>(byte))) {
      if (edge.characters < min || edge.characters > max) continue;
      trie_.tokens(edge.node, [&](TokenId token) { mask.tokens.push_back(token); });
      if (!trie_.has_below(edge.node)) continue;
      const LexemeMask inner = walk_all(first, trie_.below(edge.node), exits);
      mask.tokens.insert(mask.tokens.end(), inner.tokens.begin(), inner.tokens.end());
      mask.exits.insert(mask.exits.end(), inner.exits.begin(), inner.exits.end());
    }
  }
  mask.set = run.characters->up_to(max);
  return mask;
}

/// The mask without the limit, minus the tokens that do not fit. The length of a token decides whether it fits, except close to the
/// limit, where too few characters may remain to finish the text. nullopt if many tokens come that close, or if a character and
/// `rest` can begin with the same byte.
std::optional<LexemeMask> LexemeMasks::of_limited(Regular regular, const Limited& limited, bool exits) {
  const auto& [texts, character, max, most_left, rest] = limited;
  const CharacterTokens* characters = known_characters(character, true);
  const auto following = bytes_after(character, rest);
  if (characters == nullptr || !following || (exits && pool_.accepts_empty(rest))) return std::nullopt;
  const auto unsure = characters->between(max - std::min(max, most_left), max);
  if (unsure.size() > trie_.vocabulary_size() / kUnsureDivisor) return std::nullopt;

  LexemeMask mask = of(pool_.concat(texts, rest), trie_.all(), exits);
  if (!mask.set) mask.set.emplace(trie_.vocabulary_size());
  for (const TokenId token : mask.tokens) mask.set->insert(token);
  mask.tokens.clear();
  for (const TokenId token : characters->between(max, characters->longest())) mask.set->erase(token);
  for (const TokenId token : unsure)
    if (mask.set->contains(token) && !leads_on(regular, token)) mask.set->erase(token);
  std::vector<Branches> late;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (!following->contains(static_cast<std::uint8_t>(byte))) continue;
    for (const CharacterTokens::Edge& edge : characters->edges(static_cast<std::uint8_t>(byte)))
      if (edge.characters > max) late.push_back(trie_.from(edge.node));
  }
  for (const Branches& branches : late) trie_.tokens(branches, [&](TokenId token) { mask.set->erase(token); });
  std::ranges::sort(late, {}, begin_of);
  std::erase_if(mask.exits, [&](const TokenTrie::Node& exit) { return lies_in(late, exit); });
  return mask;
}

/// The first bytes of `rest`; nullopt if one of them can begin a character.
std::optional<ByteSet> LexemeMasks::bytes_after(Regular character, Regular rest) const {
  ByteSet bytes;
  for (unsigned byte = 0; byte < 256; ++byte) {
    if (pool_.derive(rest, static_cast<std::uint8_t>(byte)) == Regular::kNothing) continue;
    if (pool_.derive(character, static_cast<std::uint8_t>(byte)) != Regular::kNothing) return std::nullopt;
    bytes.insert(static_cast<std::uint8_t>(byte));
  }
  return bytes;
}

bool LexemeMasks::leads_on(Regular regular, TokenId token) const {
  for (const char byte : trie_.texts().text(token)) {
    regular = pool_.derive(regular, static_cast<std::uint8_t>(byte));
    if (regular == Regular::kNothing) return false;
  }
  return true;
}

/// An expression that `regular` resembles: the first derivative by one of kUsualBytes that is a run. nullopt if there is none.
std::optional<Regular> LexemeMasks::similar(Regular regular, bool may_build) {
  for (const char byte : kUsualBytes) {
    const Regular after = pool_.derive(regular, static_cast<std::uint8_t>(byte));
    if (after == Regular::kNothing || after == regular) continue;
    const Regular like = normal(after);
    if (like != regular && run(like, may_build)) return like;
  }
  return std::nullopt;
}

/// Derives the mask of `regular` from `base`, the mask of a similar expression `like` over all branches.
LexemeMask LexemeMasks::of_similar(Regular regular, Regular like, const LexemeMask& base, bool exits) const {
  struct Both {
    Regular regular, like;
  };
  const auto same = [&](const Both& both) { return both.regular == both.like; };
  // A branch is equal if both expressions have one derivative there, else different. Either starts with the tokens of the base and
  // removes those of different branches, or starts with none and adds those of equal branches: whichever are fewer by first byte.
  std::uint32_t equal = 0, different = 0;
  trie_.first_bytes([&](std::uint8_t byte, std::uint32_t entries) {
    const Both after{pool_.derive(regular, byte), pool_.derive(like, byte)};
    if (same(after)) equal += entries;
    else if (after.like != Regular::kNothing) different += entries;
  });
  const bool take_away = equal > different;
  TokenSet base_tokens = base.set ? *base.set : TokenSet(trie_.vocabulary_size());
  for (const TokenId token : base.tokens) base_tokens.insert(token);
  TokenSet set = take_away ? base_tokens : TokenSet(trie_.vocabulary_size());
  LexemeMask mask;
  std::vector<Branches> equals;
  walk(trie_, trie_.all(), Both{regular, like}, [&](const TokenTrie::Node& node, const Both& before, Both& after) {
    if (exits && pool_.accepts_empty(before.regular)) mask.exits.push_back(node);
    after = {pool_.derive(before.regular, node.byte),
             before.like == Regular::kNothing ? Regular::kNothing : pool_.derive(before.like, node.byte)};
    if (after.regular == Regular::kNothing) {
      if (take_away && after.like != Regular::kNothing) trie_.tokens(trie_.from(node), [&](TokenId token) { set.erase(token); });
      return false;
    }
    trie_.tokens(node, [&](TokenId token) { set.insert(token); });
    if (!same(after)) return true;
    const Branches below = trie_.below(node);
    if (!take_away) {
      trie_.tokens(below, [&](TokenId token) {
        if (base_tokens.contains(token)) set.insert(token);
      });
    }
    if (trie_.has_below(node)) equals.push_back(below);
    return false;
  });
  std::ranges::copy_if(base.exits, std::back_inserter(mask.exits), [&](const auto& exit) { return lies_in(equals, exit); });
  mask.set = std::move(set);
  return mask;
}

void LexemeMasks::tidy(LexemeMask& mask) const {
  std::ranges::sort(mask.exits);
  if (mask.tokens.size() < trie_.vocabulary_size() / 64) return;
  if (!mask.set) mask.set.emplace(trie_.vocabulary_size());
  for (const TokenId token : mask.tokens) mask.set->insert(token);
  mask.tokens.clear();
}

}  // namespace heed::grammar
