#include "runtime/drafts/draft_file.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "formats/tensor_file.hpp"
#include "models/drafts.hpp"
#include "nn/spec.hpp"
#include "runtime/drafts/assistant_drafter.hpp"
#include "runtime/drafts/head_drafter.hpp"
#include "runtime/drafts/model_drafter.hpp"

namespace heed::runtime {
namespace {

/// The spec of a file that drafts. A file with heads alone has the metadata of the whole model, but not its layers.
nn::ModelSpec draft_spec_of(const formats::TensorFile& file, const LoadOptions& options) {
  const bool has_layers = std::ranges::any_of(file.tensors, [](const auto& tensor) { return tensor.name.starts_with("blk.0."); });
  return models::draft_spec(file.metadata, has_layers, options.drafts_for->spec());
}

[[noreturn]] void refuse(ErrorCode code, const std::string& what) { throw Error(code, what, "draft"); }

void check_heads(const Model& model, const nn::DraftSpec& draft) {
  const std::size_t width = draft.assists != 0 ? draft.assists : draft.features ? draft.features->width : draft.stack.width;
  if (width != model.info().width || draft.embedding.vocabulary != model.info().vocabulary)
    refuse(ErrorCode::invalid_file, "has heads for a model of width " + std::to_string(width) + " with " +
                                        std::to_string(draft.embedding.vocabulary) + " tokens; this one has " +
                                        std::to_string(model.info().width) + " and " + std::to_string(model.info().vocabulary));
}

/// Throws invalid_file unless both vocabularies have the same tokens. As in llama.cpp, the first few may differ, and one vocabulary
/// may be a little longer.
void check_vocabularies(const tokenizer::Tokenizer& own, const tokenizer::Tokenizer& other) {
  constexpr std::size_t kMostMore = 128, kFirst = 5;
  const std::size_t most = std::max(own.size(), other.size()), least = std::min(own.size(), other.size());
  if (most - least > kMostMore)
    refuse(ErrorCode::invalid_file,
           "has a vocabulary of " + std::to_string(other.size()) + " tokens, the model of " + std::to_string(own.size()));
  if (own.bos() != other.bos() || own.eos() != other.eos())
    refuse(ErrorCode::invalid_file, "begins or ends texts with other tokens than the model");
  for (std::size_t i = kFirst; i < least; ++i) {
    const auto id = static_cast<tokenizer::TokenId>(i);
    if (own.token_bytes(id, true) != other.token_bytes(id, true))
      refuse(ErrorCode::invalid_file, "has another vocabulary than the model: token " + std::to_string(i) + " differs");
  }
}

}  // namespace

const FileKind kDraftFile{draft_spec_of, nullptr};

std::unique_ptr<Drafter> make_drafter(Workspace& workspace, std::shared_ptr<Model> file) try {
  const Model& model = workspace.model();
  if (!model.decoder() || model.encoder()) refuse(ErrorCode::unsupported, "is for models with a decoder alone");
  if (!file) return std::make_unique<HeadDrafter>(workspace, model);
  file->share_tables(model);
  if (file->spec().draft) check_heads(model, *file->spec().draft);
  if (file->assistant()) return std::make_unique<AssistantDrafter>(workspace, std::move(file));
  if (file->draft()) return std::make_unique<HeadDrafter>(workspace, *file, file);
  if (!file->decoder() || file->encoder()) refuse(ErrorCode::invalid_file, "has nothing that drafts");
  check_vocabularies(model.tokenizer(), file->tokenizer());
  return std::make_unique<ModelDrafter>(workspace, std::move(file));
} catch (const std::bad_alloc&) {
  refuse(ErrorCode::out_of_memory, "not enough memory to draft with");
}

}  // namespace heed::runtime
