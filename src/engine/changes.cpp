// What the engine reads of files that change a model.
#include <utility>

#include "engine/engine.hpp"

namespace heed::engine {

std::shared_ptr<const runtime::Adapter> Engine::read_adapter(std::span<const std::byte> file) const {
  return runtime::read_adapter(*model_, file);
}

std::vector<runtime::Edit> Engine::read_control_vector(std::span<const std::byte> file, float scale,
                                                       std::optional<std::pair<std::size_t, std::size_t>> layers) const {
  return runtime::read_control_vector(*model_, file, scale, layers);
}

std::shared_ptr<const runtime::Edits> Engine::make_edits(std::vector<runtime::Edit> edits) const {
  return std::make_shared<const runtime::Edits>(*model_, std::move(edits));
}

}  // namespace heed::engine
