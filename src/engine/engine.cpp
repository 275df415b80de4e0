#include "engine/engine.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "runtime/drafts/draft_file.hpp"

namespace heed::engine {

Engine::Engine(std::unique_ptr<runtime::Model> model)
    : model_(std::move(model)),
      workspace_(*model_),
      prefix_cache_(workspace_, model_->info().prefix_cache_bytes),
      scheduler_(workspace_, prefix_cache_) {
  if (model_->draft()) use_drafts(nullptr);
}

Engine::Engine(const std::string& path, runtime::LoadOptions options) : Engine(runtime::load_file(path, std::move(options))) {}

Engine::~Engine() = default;

MemoryUse Engine::memory() {
  const runtime::ModelInfo& info = model_->info();
  const nn::KvCachePool* texts = workspace_.decoder_caches();
  return {info.memory_bytes + beside_bytes_ + (texts ? texts->allocated_bytes() : 0), info.memory_bytes + info.sequence_bytes,
          context_costs()};
}

std::vector<ContextCost> Engine::context_costs() const {
  const runtime::ModelInfo& info = model_->info();
  std::vector<ContextCost> costs;
  for (std::size_t length = info.context_length;; length = std::min(2 * length, info.trained_context_length)) {
    ContextCost& cost = costs.emplace_back(ContextCost{length, {}});
    for (const KvType type : {KvType::f32, KvType::f16, KvType::int16, KvType::q8, KvType::q4})
      cost.bytes.emplace_back(type,
                              runtime::WorkspacePlan(model_->spec(), {length, 1, 1, type, &model_->kernels()}).sequence_bytes());
    if (length >= info.trained_context_length) return costs;
  }
}

std::unique_ptr<runtime::Loader> Engine::draft_loader() const {
  runtime::LoadOptions options;
  options.memory_limit = bytes_left();
  options.target = model_->info().target;
  options.kv_cache = model_->info().kv_cache;
  options.parallel = 1;
  options.drafts_for = model_.get();
  return std::make_unique<runtime::Loader>(std::move(options), &runtime::kDraftFile, model_->shared_pool());
}

void Engine::use_drafts(std::unique_ptr<runtime::Model> file) {
  std::unique_ptr<runtime::Drafter> drafter = runtime::make_drafter(workspace_, std::move(file));
  take_bytes(drafter->bytes(), "draft");
  prefix_cache_.clear();
  constexpr std::size_t kLarge = 32768;  // from this vocabulary size on, the head's product is most of a draft's cost
  if (model_->info().vocabulary >= kLarge) drafter->use_shortlist();
  workspace_.use(std::move(drafter));
}

void Engine::take_bytes(std::uint64_t bytes, const char* what) {
  const auto left = [&] {  // bytes that texts do not use
    const std::uint64_t allocated = workspace_.decoder_caches()->allocated_bytes();
    return bytes_left() - std::min(bytes_left(), allocated);
  };
  while (bytes > left())
    if (!prefix_cache_.drop_oldest())
      throw Error(ErrorCode::out_of_memory,
                  "needs " + std::to_string(bytes) + " bytes, but texts and adapters leave " + std::to_string(left()), what);
  beside_bytes_ += bytes;
  workspace_.decoder_caches()->limit(bytes_left());
}

GenerationId Engine::begin(Request request, std::unique_ptr<sampling::Constraint> constraint) {
  Text text{request.session, nullptr, nullptr};
  runtime::Sequence* sequence;
  if (text.session) {
    runtime::Session& session = idle_session(*text.session);
    if (!request.whole) request.prompt.insert(request.prompt.begin(), session.tokens.begin(), session.tokens.end());
    sequence = &session.sequence;
  } else {
    text.own = std::make_unique<runtime::Sequence>(workspace_);
    sequence = text.own.get();
  }
  text.generation = std::make_unique<runtime::Generation>(*sequence, std::move(request.prompt), std::move(request.options),
                                                          std::move(constraint), &prefix_cache_);
  const GenerationId id{++last_generation_};
  const auto added = texts_.emplace(id, std::move(text)).first;
  try {
    scheduler_.add(*added->second.generation);
  } catch (...) {
    texts_.erase(added);
    throw;
  }
  if (const auto session = added->second.session) sessions_.find(*session)->second.generation = id;
  return id;
}

std::vector<Event> Engine::step() {
  std::vector<Event> events;
  scheduler_.step();
  for (auto text = texts_.begin(); text != texts_.end();) {
    const auto next = std::next(text);
    runtime::Generation& generation = *text->second.generation;
    while (auto token = generation.pop_token()) events.push_back({.id = text->first, .token = std::move(token)});
    if (generation.error()) {
      events.push_back({.id = text->first, .error = generation.error()});
      finish(text);
    } else if (const auto reason = generation.finish_reason()) {
      events.push_back({.id = text->first, .ended = Ended{*reason, generation.end_token(), generation.timings()}});
      finish(text);
    }
    text = next;
  }
  interrupt() = false;
  return events;
}

/// Gives the generated text to its session. Without a session, gives the sequence to the prefix cache.
void Engine::finish(Texts::iterator text) {
  scheduler_.remove(*text->second.generation);
  if (text->second.session) {
    const auto held = sessions_.find(*text->second.session);
    const auto written = text->second.generation->text();
    held->second.session.tokens.assign(written.begin(), written.end());
    held->second.session.tiles = text->second.generation->tiles();
    held->second.generation.reset();
    texts_.erase(text);
    if (held->second.freed) drop(held);
    return;
  }
  const std::unique_ptr<runtime::Sequence> own = std::move(text->second.own);
  texts_.erase(text);
  prefix_cache_.keep(std::move(*own));
}

std::size_t Engine::prompt_read(GenerationId id) const noexcept {
  const auto text = texts_.find(id);
  return text == texts_.end() ? 0 : text->second.generation->prompt_read();
}

void Engine::abort(GenerationId id) {
  if (const auto text = texts_.find(id); text != texts_.end()) text->second.generation->abort();
}

}  // namespace heed::engine
