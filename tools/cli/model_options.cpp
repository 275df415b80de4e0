#include "cli/model_options.hpp"

#include <algorithm>
#include <map>
#include <thread>

#include "base/thread_pool.hpp"
#include "kernels/dispatch.hpp"

namespace heed::cli {

ModelOptions::ModelOptions()
    : threads(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, ThreadPool::kMaxThreads)) {}

void ModelOptions::add_to(CLI::App& command) {
  const std::map<std::string, KvType> kv_types = {
      {"f32", KvType::f32}, {"f16", KvType::f16}, {"int8", KvType::int8}};
  command.add_option("MODEL", path, "A GGUF file")->required();
  command.add_option("--threads", threads, "Threads to compute with")
      ->check(CLI::Range(std::size_t{1}, ThreadPool::kMaxThreads))
      ->capture_default_str();
  command.add_option("--kv", kv, "Type of the KV cache; by default one that suits the weights")
      ->transform(CLI::CheckedTransformer(kv_types))
      ->option_text("f32|f16|int8");
  command
      .add_option("--target", target,
                  "Kernels to compute with, by name; by default the fastest that run here")
      ->check([](const std::string& name) {
        as_usage([&] { kernels::select(name); });
        return std::string();
      });
}

std::unique_ptr<runtime::Model> ModelOptions::load(std::optional<std::size_t> context) const {
  runtime::LoadOptions options;
  options.threads = threads;
  options.context = context;
  options.kv_cache = kv;
  options.target = target;
  return runtime::load_file(path, std::move(options));
}

}  // namespace heed::cli
