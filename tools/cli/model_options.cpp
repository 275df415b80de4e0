#include "cli/model_options.hpp"

#include <algorithm>
#include <string>
#include <thread>

#include "base/thread_pool.hpp"
#include "cli/options.generated.hpp"
#include "kernels/dispatch.hpp"

namespace heed::cli {

ModelOptions::ModelOptions() {
  loading.threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, ThreadPool::kMaxThreads);
}

void ModelOptions::add_to(CLI::App& command, const std::string& file, const std::string& description) {
  command.add_option(file, path, description)->required()->option_text("FILE");
  add_loading_options(command, loading);
  const auto check_target = [](const std::string& name) {
    as_usage([&] { kernels::select(name); });
    return std::string();
  };
  command.add_option("--target", loading.target, "Kernels to compute with; by default the fastest available")
      ->check(check_target)
      ->option_text("NAME");
}

runtime::LoadOptions ModelOptions::load_options(std::optional<std::size_t> context, std::optional<std::size_t> parallel) const {
  runtime::LoadOptions options = loading;
  if (!options.context_length) options.context_length = context;
  options.parallel = parallel;
  return options;
}

std::unique_ptr<runtime::Model> ModelOptions::load(std::optional<std::size_t> context, std::optional<std::size_t> parallel) const {
  return runtime::load_file(path, load_options(context, parallel));
}

}  // namespace heed::cli
