#include "grammar/regular/nodes.hpp"

#include <algorithm>

namespace heed::grammar {
namespace {

std::uint32_t hash_of_node(const Node& node, std::span<const Regular> members) {
  std::uint32_t hash = static_cast<std::uint32_t>(node.kind) + 1;
  const auto mix = [&](std::uint32_t value) {
    hash = (hash ^ value) * 0x9E37'79B1U;
    hash ^= hash >> 15;
  };
  for (const std::uint32_t value : {node.a, node.b, node.min, node.max}) mix(value);
  for (const Regular member : members) mix(static_cast<std::uint32_t>(member));
  return hash;
}

}  // namespace

NodeTable::Place NodeTable::find(const Node& node, std::span<const Regular> members) const {
  const std::uint32_t hash = hash_of_node(node, members);
  if (slots_.empty()) return {false, Regular::kNothing, hash};
  for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
    if (slots_[slot] == 0) return {false, Regular::kNothing, hash};
    const std::uint32_t index = slots_[slot] - 1;
    if (hashes_[index] != hash) continue;
    const Node& other = nodes_[index];
    if (other.kind == node.kind && other.a == node.a && other.b == node.b && other.min == node.min && other.max == node.max &&
        std::ranges::equal(this->members(other), members))
      return {true, static_cast<Regular>(index), hash};
  }
}

Regular NodeTable::add(Node node, std::span<const Regular> members, const Place& place) {
  if (2 * (nodes_.size() + 1) > slots_.size()) grow();
  node.first_member = static_cast<std::uint32_t>(members_.size());
  node.member_count = static_cast<std::uint32_t>(members.size());
  members_.insert(members_.end(), members.begin(), members.end());
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(node);
  hashes_.push_back(place.hash);
  put(index);
  return static_cast<Regular>(index);
}

void NodeTable::put(std::uint32_t index) {
  std::size_t slot = hashes_[index] & (slots_.size() - 1);
  while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
  slots_[slot] = index + 1;
}

void NodeTable::grow() {
  slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
  for (std::uint32_t index = 0; index < nodes_.size(); ++index) put(index);
}

}  // namespace heed::grammar
