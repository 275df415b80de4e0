// Files that draft for another model: heads of that model in a file of their own, or a small model with the same vocabulary.
#pragma once

#include <memory>

#include "runtime/drafts/drafter.hpp"
#include "runtime/load.hpp"

namespace heed::runtime {

class Workspace;

extern const FileKind kDraftFile;

/// A drafter for the workspace's model, which must outlive it: by the heads of `file` or by the model in it, or, if it is nullptr, by the
/// model's own heads. Tables of tokens that are the model's are shared. Throws invalid_file if the two do not fit, unsupported for a model
/// with an encoder, and out_of_memory.
std::unique_ptr<Drafter> make_drafter(Workspace& workspace, std::shared_ptr<Model> file = nullptr);

}  // namespace heed::runtime
