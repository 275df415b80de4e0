// The engine's interventions: reads and keeps adapters, reads control vectors, checks edits.
#include <string>
#include <utility>

#include "base/error.hpp"
#include "engine/engine.hpp"

namespace heed::engine {

std::shared_ptr<const runtime::Adapter> Engine::read_adapter(std::span<const std::byte> file) const {
  return runtime::read_adapter(*model_, file);
}

AdapterId Engine::add_adapter(std::span<const std::byte> file) {
  std::shared_ptr<const runtime::Adapter> adapter = read_adapter(file);
  take_bytes(adapter->factors.bytes(), "adapter");
  adapters_.push_back(std::move(adapter));
  return AdapterId(static_cast<int>(adapters_.size()));
}

void Engine::remove_adapter(AdapterId id) {
  std::shared_ptr<const runtime::Adapter>& adapter = adapters_[index_of(id)];
  prefix_cache_.clear();  // cached prefixes may depend on the adapter
  if (adapter.use_count() > 1) throw Error(ErrorCode::invalid_argument, "is in use by a text or a session", "adapter");
  beside_bytes_ -= adapter->factors.bytes();
  workspace_.decoder_caches()->limit(bytes_left());
  adapter.reset();
}

std::size_t Engine::index_of(AdapterId id) const {
  const auto index = static_cast<std::size_t>(id) - 1;  // wraps around for 0
  if (index < adapters_.size() && adapters_[index]) return index;
  throw Error(ErrorCode::invalid_argument, "no adapter has this number", "adapters");
}

runtime::Changes Engine::changes(std::span<const std::pair<AdapterId, float>> adapters, std::vector<runtime::Edit> edits) const {
  runtime::Changes changes;
  for (const auto& [id, scale] : adapters) changes.adapters.push_back({adapters_[index_of(id)], scale});
  if (!edits.empty()) changes.edits = make_edits(std::move(edits));
  return changes;
}

std::vector<runtime::Edit> Engine::read_control_vector(std::span<const std::byte> file, float scale,
                                                       std::optional<std::pair<std::size_t, std::size_t>> layers) const {
  return runtime::read_control_vector(*model_, file, scale, layers);
}

std::shared_ptr<const runtime::Edits> Engine::make_edits(std::vector<runtime::Edit> edits) const {
  return std::make_shared<const runtime::Edits>(*model_, std::move(edits));
}

}  // namespace heed::engine
