#include "cli/model_options.hpp"

#include <algorithm>
#include <string>
#include <thread>

#include "base/thread_pool.hpp"
#include "kernels/dispatch.hpp"

namespace heed::cli {

ModelOptions::ModelOptions() : threads(std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, ThreadPool::kMaxThreads)) {}

void ModelOptions::add_to(CLI::App& command, const std::string& file, const std::string& description) {
  command.add_option(file, path, description)->required()->option_text("FILE");
  command.add_option("--threads", threads, "Threads to compute with")
      ->check(CLI::Range(std::size_t{1}, ThreadPool::kMaxThreads))
      ->option_text("N [" + std::to_string(threads) + "]");
  const auto set_kv = [this](const std::string& name) { kv = parse_kv_type(name); };
  command.add_option_function<std::string>("--kv", set_kv, "Type of the KV cache; by default one that suits the weights")
      ->check(CLI::IsMember({"f32", "f16", "int16", "int8"}))
      ->option_text("f32|f16|int16|int8");
  const auto check_target = [](const std::string& name) {
    as_usage([&] { kernels::select(name); });
    return std::string();
  };
  command.add_option("--target", target, "Kernels to compute with; by default the fastest available")
      ->check(check_target)
      ->option_text("NAME");
}

runtime::LoadOptions ModelOptions::load_options(std::optional<std::size_t> context, std::optional<std::size_t> parallel) const {
  runtime::LoadOptions options;
  options.threads = threads;
  options.context_length = context;
  options.kv_cache = kv;
  options.target = target;
  options.parallel = parallel;
  return options;
}

std::unique_ptr<runtime::Model> ModelOptions::load(std::optional<std::size_t> context, std::optional<std::size_t> parallel) const {
  return runtime::load_file(path, load_options(context, parallel));
}

}  // namespace heed::cli
