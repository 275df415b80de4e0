// Any keys and tensors in the file of any family: an Error, or a model that processes and generates text. The first byte chooses the
// family, the second whether it has keys that it does not read, and the others what is changed. Weights are read for some inputs.
#include <cstdlib>

#include "base/error.hpp"
#include "fuzz/changed_file.hpp"
#include "fuzz/chosen.hpp"
#include "fuzz/small_family.hpp"
#include "fuzz/use_model.hpp"
#include "support/load.hpp"

using namespace heed;

namespace {

constexpr std::uint64_t kLoaded = 16;  // one of so many: it takes about so many times as long

struct Family {
  test::Values all, read;  // metadata: which may matter once others are changed, and what matters before
};

const Family& family(std::size_t index) {
  static std::vector<Family> families(std::size(test::kArchitectures));
  Family& family = families[index];
  if (family.all.empty()) {
    family.all = test::small_values(test::kArchitectures[index]);
    family.read = test::only_read(family.all, test::spec_of);
  }
  return family;
}

void run(test::Input input, bool loads) {
  const std::size_t index = input.below(std::size(test::kArchitectures));
  const Family& chosen = family(index);
  const test::Values& values = input.below(8) == 0 ? chosen.all : chosen.read;
  const test::KeyChanges changes = test::some_key_changes(test::kArchitectures[index], input);
  const nn::ModelSpec spec = models::model_spec(test::metadata_of(values, changes));
  if (!loads) return;
  const std::vector<std::byte> file = test::changed_file(spec, test::changed(values, changes), input);
  if (!file.empty()) test::use(*test::load_bytes(file, test::small_limits()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span input(data, size);
  try {
    run(test::Input(input), test::is_chosen(input, kLoaded));
  } catch (const Error& error) {
    if (error.message().empty()) std::abort();
  }
  return 0;
}
