#include "grammar/schema/matching.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "grammar/refusal.hpp"

namespace heed::grammar {
namespace {

constexpr std::uint32_t kMaxExchanges = 2'000;  // length of an augmenting path, which is found recursively

}  // namespace

bool Matching::add(Term element, SharedValues values) {
  elements_.push_back({element, std::move(values)});
  std::unordered_set<std::uint32_t> tried;
  if (place(elements_.size() - 1, tried, 0)) return true;
  elements_.pop_back();
  return false;
}

void Matching::take_back() {
  elements_.pop_back();
  std::erase_if(owners_, [&](const auto& owner) { return owner.second == elements_.size(); });
}

// Assigns a free value, or one whose owner can have another.
bool Matching::place(std::size_t element, std::unordered_set<std::uint32_t>& tried, std::uint32_t depth) {
  if (depth > kMaxExchanges)
    throw Refusal{"too-large", "uniqueItems", "", "more than " + std::to_string(kMaxExchanges) + " elements depend on each other"};
  const std::vector<Key>& values = *elements_[element].values;
  for (const bool free : {true, false}) {
    for (const Key value : values) {
      budget_.spend();
      const auto word = static_cast<std::uint32_t>(value);
      const auto owner = owners_.find(word);
      if (free == (owner != owners_.end()) || keys_.contains(taken_, value)) continue;
      if (!free && (!tried.insert(word).second || !place(owner->second, tried, depth + 1))) continue;
      owners_[word] = element;
      return true;
    }
  }
  return false;
}

std::vector<std::uint32_t> Matching::terms() const {
  std::vector<std::uint32_t> terms;
  terms.reserve(elements_.size());
  for (const Element& element : elements_) terms.push_back(static_cast<std::uint32_t>(element.term));
  std::ranges::sort(terms);
  return terms;
}

std::vector<Key> Matching::values() const {
  std::vector<Key> values;
  values.reserve(owners_.size());
  for (const auto& [value, owner] : owners_) values.push_back(Key{value});
  std::ranges::sort(values);
  return values;
}

}  // namespace heed::grammar
