// The memory of a load, planned from the header of its file: what it takes, what it may take, and which context fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/tensor_file.hpp"
#include "kernels/kernels.hpp"
#include "nn/spec.hpp"
#include "runtime/load.hpp"
#include "runtime/model.hpp"
#include "runtime/workspace_plan.hpp"

namespace heed::runtime {

/// The most memory that a load with these options may take.
std::uint64_t memory_limit(const LoadOptions& options);

/// Bytes of a packed tensor. Computed by blocks, because the bytes of a panel may exceed a size_t.
std::uint64_t packed_bytes(const formats::TensorInfo& tensor, const kernels::Kernels& kernels);

class MemoryPlan {
 public:
  /// The arguments must outlive the plan.
  MemoryPlan(const nn::ModelSpec& spec, const formats::TensorFile& file, const LoadOptions& options,
             const kernels::Kernels& kernels);

  std::uint64_t limit() const noexcept { return limit_; }
  std::uint64_t weights() const noexcept { return weights_; }

  /// Sets the context length, the KV type, the number of sequences and the figures of memory of `info`, which describes the model.
  /// Throws invalid_argument for an option out of range.
  void choose(ModelInfo& info) const;
  /// Throws out_of_memory, with the figures, if what was chosen does not fit.
  void check(const ModelInfo& info) const;
  /// Whether what was chosen fits.
  bool fits(const ModelInfo& info) const noexcept { return info.memory_bytes + info.context_bytes <= limit_; }
  /// Whether to read the file's draft heads: if they are required, or if they fit in addition to what was chosen.
  bool reads_heads(const ModelInfo& info) const;
  /// The longest context that fits, with any KV type that the options allow, up to the one that the model was trained for; 0 if
  /// none does.
  std::size_t longest_context(const ModelInfo& info) const;

 private:
  WorkspacePlan plan(KvType type, std::size_t context, std::size_t parallel, bool heads) const;
  /// The plan includes heads only if they are required: optional heads must not affect what is chosen.
  WorkspacePlan plan(KvType type, std::size_t context, std::size_t parallel) const {
    return plan(type, context, parallel, options_.draft_heads == OwnHeads::required);
  }
  /// The KV types that the options allow, the preferred one first.
  std::span<const KvType> types() const;
  /// The first of types() with which a context fits.
  std::optional<KvType> type_for(std::size_t context) const;

  const nn::ModelSpec& spec_;
  const formats::TensorFile& file_;
  const LoadOptions& options_;
  const kernels::Kernels& kernels_;
  std::uint64_t limit_, weights_;
};

}  // namespace heed::runtime
