#include "runtime/drafts/assistant_drafter.hpp"

#include <algorithm>
#include <utility>

#include "nn/decoder.hpp"
#include "runtime/sequence.hpp"

namespace heed::runtime {
namespace {

nn::ScratchNeed need_of_assistant(const nn::Assistant& assistant, const Model& model) {
  return nn::Assistant::need(assistant.spec(),
                             {assistant.spec().stack.width, 1, model.info().context_length, model.pool().threads(), 1});
}

}  // namespace

AssistantDrafter::AssistantDrafter(Workspace& workspace, std::shared_ptr<const Model> file)
    : workspace_(workspace),
      file_(std::move(file)),
      need_(need_of_assistant(*file_->assistant(), workspace.model())),
      scratch_(need_, workspace.model().pool().threads(), workspace.model().kernels()),
      logits_(workspace.model().info().vocabulary) {}

std::uint64_t AssistantDrafter::bytes() const noexcept {
  const Model& model = workspace_.model();
  return file_->info().memory_bytes + nn::Scratch::bytes(need_, model.pool().threads(), model.kernels()) +
         logits_.size() * sizeof(float);
}

DraftMemory AssistantDrafter::memory() {
  DraftMemory memory;
  memory.width = workspace_.model().info().width;
  memory.fingerprint = file_->info().fingerprint;
  return memory;
}

void AssistantDrafter::follow(std::span<const tokenizer::TokenId>, const nn::Pass& pass, std::span<DraftMemory* const> memories) {
  for (std::size_t i = 0; i < memories.size(); ++i)
    if (memories[i]->width != 0) keep_last(*memories[i], pass.handed, pass.segments[i]);
}

DraftStart AssistantDrafter::begin(Sequence& sequence, std::span<const tokenizer::TokenId> text, std::size_t) {
  position_ = text.size() - 1;
  const float* const before = position_ > 0 ? sequence.drafts().before(position_) : nullptr;
  if (position_ == 0) return DraftStart::later;
  if (!before || sequence.tokens().size() != position_) return DraftStart::never;
  before_.assign(before, before + sequence.drafts().width);
  cache_ = &sequence.cache();
  return DraftStart::ready;
}

std::span<const float> AssistantDrafter::next(tokenizer::TokenId id) {
  const Model& model = workspace_.model();
  nn::Segment segment{.cache = *cache_, .position = position_, .count = 1};
  nn::Pass pass{.kernels = model.kernels(), .pool = model.pool(), .scratch = scratch_, .segments = {&segment, 1}, .tokens = 1};
  workspace_.use_decode_threads();
  file_->assistant()->forward(id, model.decoder()->embedding(), before_.data(), before_.data(), logits_.data(), pass);
  return logits_;
}

}  // namespace heed::runtime
