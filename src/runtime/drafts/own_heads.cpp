#include "runtime/drafts/own_heads.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "nn/draft_heads.hpp"
#include "runtime/workspace_plan.hpp"

namespace heed::runtime {

HeadBytes bytes_of_heads(const nn::ModelSpec& spec, const WorkspaceSize& size) {
  const nn::DraftSpec& heads = *spec.draft;
  const std::size_t context = size.context_length, batch = std::min(kMaxBatch, context * size.parallel);
  const nn::ScratchNeed need = nn::DraftHeads::need_of(heads, {heads.stack.width, batch, context, size.threads, size.parallel});
  const nn::KvCachePool pool(nn::Stack::cache_layers(heads.stack), size.kv_type);
  return {nn::Scratch::bytes(need, size.threads, *size.kernels) + heads.embedding.vocabulary * sizeof(float),
          pool.bytes(context, std::min(batch, context))};
}

void read_own_heads(nn::ModelSpec& spec, const formats::TensorFile& file, bool required) {
  const auto is_there = [&](const nn::LayerSpec& head) {
    return file.find("blk." + std::to_string(*head.block) + ".nextn.eh_proj.weight") != nullptr;
  };
  if (spec.draft && std::ranges::all_of(spec.draft->stack.layers, is_there)) {
    spec.decoder->stack.drafts = 0;
    return;
  }
  if (required)
    throw Error(ErrorCode::unsupported, "has no heads for drafts in its file", file.metadata.text("general.architecture"));
  spec.draft.reset();
}

void leave_out_own_heads(nn::ModelSpec& spec) {
  spec.decoder->stack.drafts = spec.draft->stack.layers.size();
  spec.draft.reset();
}

}  // namespace heed::runtime
