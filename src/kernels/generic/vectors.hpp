// Vectors of 128 bits by the compiler's extension, for operations that take the same instructions on all targets, or that run too
// seldom to need wider vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heed::kernels::generic {

template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(16)));
};
template <class T>
using Vector = typename VectorOf<T>::Type;

template <class T>
Vector<T> load_vector(const T* p) {
  Vector<T> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
void store_vector(void* p, Vector<T> v) {
  std::memcpy(p, &v, sizeof v);
}

}  // namespace heed::kernels::generic
