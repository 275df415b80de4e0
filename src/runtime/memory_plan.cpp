#include "runtime/memory_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "nn/per_layer_embedding.hpp"
#include "runtime/describe.hpp"

namespace heed::runtime {
namespace {

/// Three quarters of the address space: sums and products of smaller sizes do not overflow.
constexpr std::uint64_t kAddressLimit = sizeof(void*) == 4 ? std::uint64_t{3} << 30 : std::uint64_t{3} << 45;

/// The default of LoadOptions::parallel.
constexpr std::size_t kDefaultParallel = 8;

std::uint64_t default_memory_limit() {
  if (sizeof(void*) == 4) return kAddressLimit;
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 4 * 3;
}

std::string megabytes(std::uint64_t bytes) { return std::to_string((bytes + 999'999) / 1'000'000) + " MB"; }

/// Bytes of all packed tensors. If the stored tensors exceed `limit`, returns their size instead, because packed sizes might
/// overflow a size_t.
std::uint64_t weight_bytes(const formats::TensorFile& file, const kernels::Kernels& kernels, std::uint64_t limit) {
  std::uint64_t stored = 0, packed = 0;
  for (const auto& tensor : file.tensors) stored += tensor.bytes;
  if (stored > limit) return stored;
  for (const auto& tensor : file.tensors) packed += packed_bytes(tensor, kernels);
  return packed;
}

}  // namespace

std::uint64_t memory_limit(const LoadOptions& options) {
  return std::min(options.memory_limit.value_or(default_memory_limit()), kAddressLimit);
}

std::uint64_t packed_bytes(const formats::TensorInfo& tensor, const kernels::Kernels& kernels) {
  if (tensor.shape.size() == 1) return std::uint64_t{tensor.columns()} * sizeof(float);
  if (nn::PerLayerEmbedding::keeps_as_stored(tensor.name)) return tensor.bytes;
  const std::size_t block = heed::info(tensor.dtype).block_values;
  const std::uint64_t panels = (tensor.rows() + kernels.panel_rows - 1) / kernels.panel_rows;
  return panels * (tensor.columns() / block) * kernels.panel_bytes(tensor.dtype, block);
}

MemoryPlan::MemoryPlan(const nn::ModelSpec& spec, const formats::TensorFile& file, const LoadOptions& options,
                       const kernels::Kernels& kernels)
    : spec_(spec),
      file_(file),
      options_(options),
      kernels_(kernels),
      limit_(memory_limit(options)),
      weights_(weight_bytes(file, kernels, limit_)) {}

WorkspacePlan MemoryPlan::plan(KvType type, std::size_t context, std::size_t parallel, bool heads) const {
  return WorkspacePlan(spec_, {context, parallel, options_.threads, type, &kernels_, heads});
}

bool MemoryPlan::reads_heads(const ModelInfo& info) const {
  return spec_.draft && (options_.draft_heads == OwnHeads::required ||
                         weights_ + plan(info.kv_cache, info.context_length, info.parallel, true).bytes() <= limit_);
}

std::span<const KvType> MemoryPlan::types() const {
  static constexpr KvType kTypes[] = {KvType::f32, KvType::int16, KvType::q8, KvType::q4};
  if (options_.kv_cache) return {&*options_.kv_cache, 1};
  const std::span allowed = std::span(kTypes).subspan(kernels::takes_int8(main_dtype(file_)) ? 1 : 0);
  return options_.narrows_cache ? allowed : allowed.first(1);
}

std::optional<KvType> MemoryPlan::type_for(std::size_t context) const {
  const std::size_t parallel = options_.parallel.value_or(1);
  for (const KvType type : types())
    if (weights_ + plan(type, context, parallel).bytes() <= limit_) return type;
  return std::nullopt;
}

void MemoryPlan::choose(ModelInfo& info) const {
  info.kv_cache = types().front();
  if (options_.context_length) {
    if (*options_.context_length == 0 || *options_.context_length > info.trained_context_length)
      throw Error(ErrorCode::invalid_argument,
                  "must be from 1 to the model's " + std::to_string(info.trained_context_length) + ", not " +
                      std::to_string(*options_.context_length),
                  "context_length");
    info.context_length = *options_.context_length;
  } else {
    info.context_length = info.trained_context_length;
    while (info.context_length > 512 && plan(info.kv_cache, info.context_length, 1).bytes() > limit_ / 4)
      info.context_length = info.context_length / 2;
  }
  if (options_.parallel && (*options_.parallel == 0 || *options_.parallel > kMostParallel))
    throw Error(ErrorCode::invalid_argument, "must be 1 to " + std::to_string(kMostParallel), "parallel");
  info.kv_cache = type_for(info.context_length).value_or(info.kv_cache);
  info.parallel = options_.parallel.value_or(kDefaultParallel);
  const auto does_not_fit = [&] {
    const WorkspacePlan several = plan(info.kv_cache, info.context_length, info.parallel);
    const std::size_t text = std::min<std::size_t>(info.context_length, 1024);  // the usual length, in each sequence
    const std::uint64_t texts = info.parallel * plan(info.kv_cache, text, 1).sequence_bytes();
    return weights_ + several.bytes_beside_sequences() + std::max(texts, several.sequence_bytes()) > limit_;
  };
  while (!options_.parallel && info.parallel > 1 && does_not_fit()) info.parallel /= 2;

  const WorkspacePlan chosen = plan(info.kv_cache, info.context_length, info.parallel, reads_heads(info));
  info.memory_bytes = weights_ + chosen.bytes_beside_sequences();
  info.context_bytes = chosen.sequence_bytes();
  info.sequence_bytes = limit_ - std::min(limit_, info.memory_bytes);
  info.prefix_cache_bytes = std::min(options_.prefix_cache_bytes.value_or(info.context_bytes + chosen.saved_state_bytes()),
                                     info.sequence_bytes);
  for (const auto& stored : file_.tensors) info.parameters += std::uint64_t{stored.rows()} * stored.columns();
}

void MemoryPlan::check(const ModelInfo& info) const {
  if (fits(info)) return;
  const std::size_t longest = longest_context(info);
  throw Error(ErrorCode::out_of_memory,
              "needs " + megabytes(weights_) + " for weights and " + megabytes(info.memory_bytes - weights_ + info.context_bytes) +
                  " for a context of " + std::to_string(info.context_length) + ", but the limit is " + megabytes(limit_) +
                  (longest > 0 ? ", in which a context of " + std::to_string(longest) + " fits" : ""),
              "memory_limit");
}

std::size_t MemoryPlan::longest_context(const ModelInfo& info) const {
  std::size_t longest = 0, too_long = info.trained_context_length + 1;
  while (too_long - longest > 1) {
    const std::size_t middle = longest + (too_long - longest) / 2;
    (type_for(middle) ? longest : too_long) = middle;
  }
  return longest;
}

}  // namespace heed::runtime
