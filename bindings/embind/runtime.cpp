// Small replacements for parts of Emscripten's libraries that contain much that no page uses. A linker takes from a library only
// the symbols that are not defined yet. The package's tests run all of this file.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <typeinfo>

namespace heed::bindings {

using namespace emscripten::internal;
using emscripten::memory_view;
using emscripten::val;

namespace {

template <class T>
void register_integer(const char* name) {
  using Limits = std::numeric_limits<T>;
  if constexpr (sizeof(T) == 8) _embind_register_bigint(TypeID<T>::get(), name, sizeof(T), Limits::min(), Limits::max());
  else _embind_register_integer(TypeID<T>::get(), name, sizeof(T), Limits::min(), Limits::max());
}

template <class T>
void register_float(const char* name) {
  _embind_register_float(TypeID<T>::get(), name, sizeof(T));
}

/// `kind` is the position of the typed array in Embind's list.
template <class T>
void register_view(unsigned kind, const char* name) {
  _embind_register_memory_view(TypeID<memory_view<T>>::get(), kind, name);
}

}  // namespace

/// The types that the engine's functions take, return and convert. Embind's own list also has all other integers and wide strings.
EMSCRIPTEN_BINDINGS(types) {
  _embind_register_void(TypeID<void>::get(), "void");
  _embind_register_bool(TypeID<bool>::get(), "bool", true, false);
  register_integer<unsigned char>("uint8");
  register_integer<int>("int");
  register_integer<unsigned>("unsigned");
  register_integer<unsigned long>("size");
  register_float<float>("float");
  register_float<double>("double");
  _embind_register_std_string(TypeID<std::string>::get(), "string");
  _embind_register_emval(TypeID<val>::get());
  register_view<std::uint8_t>(1, "uint8[]");
  register_view<std::int32_t>(4, "int[]");
  register_view<std::uint32_t>(5, "unsigned[]");
  register_view<float>(6, "float[]");
  register_view<double>(7, "double[]");
}

extern "C" {

// Replaces functions of Embind. Only the engine's thread calls JavaScript, so the threads of its pool need no bindings.

void _embind_register_bindings(InitFunc*) {}
void _embind_initialize_bindings() {}

/// For messages about types that are not registered above.
const char* __getTypeName(const std::type_info* type) { return strdup(type->name()); }

// Replaces functions of the C library that only the messages of std::system_error call. One text that names the failed step is
// enough; printf and the texts of all errors are 7 KB.

int snprintf(char* text, std::size_t size, const char*, ...) {
  if (size > 0) *text = 0;
  return 0;
}

int strerror_r(int, char* text, std::size_t size) { return snprintf(text, size, ""); }

}  // extern "C"

}  // namespace heed::bindings
