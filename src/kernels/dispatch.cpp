#include "kernels/dispatch.hpp"

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <array>
#include <string>

#include "base/error.hpp"

namespace heed::kernels {

#if defined(__wasm__)
[[gnu::weak]] const Kernels* targets::scalar() noexcept;  // linked in by the tests only
#endif

namespace {

#if defined(__x86_64__)
/// Whether the CPU has all extensions that avx512.cpp is compiled for: Intel since Cascade Lake and Ice Lake, AMD since Zen 4.
bool has_avx512_vnni() noexcept {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}
#elif defined(__aarch64__)
/// Whether the CPU has the integer dot product (FEAT_DotProd), as all Apple silicon does.
bool has_dotprod() noexcept {
#if defined(__linux__)
  return (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
#elif defined(__APPLE__)
  return true;
#else
  return false;
#endif
}
#endif

struct Targets {
  std::array<const Kernels*, 4> list{};
  std::size_t count = 0;

  void add(const Kernels* target) noexcept {
    if (target) list[count++] = target;
  }
  Targets() noexcept {
#if defined(__wasm__)
    if (targets::scalar) add(targets::scalar());
#else
    add(targets::scalar());
#endif
#if defined(__wasm_relaxed_simd__)
    add(targets::relaxed());
#elif defined(__wasm_simd128__)
    add(targets::simd128());
#elif defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.1")) add(targets::sse41());
    if (__builtin_cpu_supports("avx2")) add(targets::avx2());
    if (has_avx512_vnni()) add(targets::avx512());
#elif defined(__aarch64__)
    add(targets::neon());
    if (has_dotprod()) add(targets::neon_dotprod());
#endif
  }
};

}  // namespace

std::span<const Kernels* const> available() noexcept {
  static const Targets targets;
  return {targets.list.data(), targets.count};
}

const Kernels& select(std::string_view name) {
  if (available().empty()) throw Error(ErrorCode::unsupported, "this engine's integer dot product is not supported", "simd");
  if (name.empty()) return *available().back();
  std::string names;
  for (const Kernels* target : available()) {
    if (target->name == name) return *target;
    names += names.empty() ? "" : ", ";
    names += target->name;
  }
  throw Error(ErrorCode::invalid_argument, "no kernel target '" + std::string(name) + "' runs here; available: " + names, "target");
}

}  // namespace heed::kernels
