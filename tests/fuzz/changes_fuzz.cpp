// Any bytes as an adapter, a control vector, or a plan of edits: an Error, or a change with which a text can be processed, although
// its numbers may become infinite. The first byte selects the kind and the model. The seeds are valid files, and random plans.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/error.hpp"
#include "engine/engine.hpp"
#include "support/load.hpp"
#include "support/tokens.hpp"
#include "unit/runtime/family_model.hpp"

using namespace heed;
using engine::Engine;
using runtime::Edit;

namespace {

constexpr std::size_t kContext = 24, kMostEdits = 40;

/// The input, as fields of a plan; zeros after its end.
class Input {
 public:
  explicit Input(std::span<const std::byte> bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }
  template <class T>
  T any() {
    T value{};
    const std::size_t count = std::min(sizeof(T), left_.size());
    std::memcpy(&value, left_.data(), count);
    left_ = left_.subspan(count);
    return value;
  }
  /// Mostly small.
  template <class T>
  T place() {
    const auto first = any<std::uint8_t>();
    return first == 255 ? any<T>() : static_cast<T>(static_cast<std::int8_t>(first));
  }

 private:
  std::span<const std::byte> left_;
};

std::vector<Edit> plan(Input input, std::size_t width) {
  std::vector<Edit> edits;
  while (!input.empty() && edits.size() < kMostEdits) {
    Edit edit{.kind = static_cast<Edit::Kind>(input.any<std::uint8_t>() % 4), .layer = input.place<std::int32_t>()};
    const auto form = input.any<std::uint8_t>();
    if (form & 1) edit.head = input.place<std::uint32_t>();
    if (form & 2) {
      edit.positions.emplace(form >> 5);
      for (std::uint32_t& position : *edit.positions) position = input.place<std::uint32_t>();
    }
    if (form & 4) edit.factor = input.any<float>();
    edit.vector.assign(form & 8 ? width : form & 16 ? width / 4 : 0, input.any<float>());
    edit.edges.resize(edit.kind == Edit::Kind::cut ? form >> 5 : 0);
    for (auto& [query, key] : edit.edges) {
      query = input.place<std::uint32_t>();
      key = input.place<std::uint32_t>();
    }
    edits.push_back(std::move(edit));
  }
  return edits;
}

std::vector<std::unique_ptr<Engine>> engines() {
  std::vector<std::unique_ptr<Engine>> made;
  for (const char* architecture : {"llama", "gemma2", "deepseek2", "qwen35", "gpt2", "granitehybrid"}) {
    runtime::LoadOptions options;
    options.context_length = kContext;
    options.threads = 1;
    made.push_back(std::make_unique<Engine>(test::load_bytes(test::family_model(architecture), options)));
  }
  return made;
}

/// Runs some tokens with the changes, while states are recorded and the lens is read.
void read_by(Engine& engine, const runtime::Changes& changes) {
  const auto tokens = test::some_tokens(9);
  auto run = engine.read();
  run.change(changes, tokens);
  run.watch(runtime::state_requests(engine.model(), {}), tokens.size());
  run.forward(std::span(tokens).first(5), 1);
  run.forward(std::span(tokens).subspan(5), 2);
  const std::size_t layers = engine.model().info().layers;
  if (run.lens(layers * tokens.size(), tokens.size(), {.top = 2}).size() != tokens.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto all = engines();
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data + 1, size - 1));
  Engine& engine = *all[data[0] / 3 % all.size()];
  try {
    runtime::Changes changes;
    switch (data[0] % 3) {
      case 0: changes.adapters = {{engine.read_adapter(bytes), 0.5f}}; break;
      case 1: changes.edits = engine.make_edits(engine.read_control_vector(bytes, 2)); break;
      default: changes.edits = engine.make_edits(plan(Input(bytes), engine.model().info().width));
    }
    read_by(engine, changes);
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
