// Files that draft for another model: its heads in a separate file, or a small model with the same vocabulary.
#pragma once

#include <memory>

#include "runtime/drafts/drafter.hpp"
#include "runtime/load.hpp"

namespace heed::runtime {

class Workspace;

extern const FileKind kDraftFile;

/// A drafter for the workspace's model, which must outlive it. It drafts with the heads or the model in `file` or, if that is
/// nullptr, with the model's own heads. Embeddings and output matrices that equal the model's are shared with it. Throws invalid_file
/// if the two do not fit together, unsupported for a model with an encoder, and out_of_memory.
std::unique_ptr<Drafter> make_drafter(Workspace& workspace, std::shared_ptr<Model> file = nullptr);

}  // namespace heed::runtime
