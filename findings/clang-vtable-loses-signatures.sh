#!/bin/sh
# Clang and wasm-ld link a valid C++ program whose virtual call then traps, if some files are compiled with link-time optimization and one
# is not.
#
# Guessed: a vtable knows the signatures of its functions, and whatever the linker cannot make right is an error.
# Seen, with Clang and LLD 22 of @yowasp/clang 22.0.0-git20542-10, Node 24, target wasm32-wasip1: a file emits the vtable of a class that
# inherits a final function, whose parameter is a class template that this file never instantiates. Clang then declares the function as
# () -> void, which does no harm where an address is only an address. In WebAssembly a function in a table has a type. Without link-time
# optimization, wasm-ld lets the definition decide:
#
#     without LTO: 2
#     base with LTO, derived without: RuntimeError: null function or function signature mismatch
#     the same, with the template instantiated: 2
#
# In the second case, wasm-ld takes the declaration's type for the vtable's entry, which becomes a function that traps, prints a warning
# ("function signature mismatch") and succeeds. Whether it happens may depend on which files are compiled as one unit. -Wl,--fatal-warnings
# makes it an error.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @yowasp/clang@22.0.0-git20542-10
cat > link.mjs <<'END'
import { commands } from '@yowasp/clang'

const sources = instantiated => ({
  'reader.hpp': `
    template <class T> struct List { const T* data; unsigned long size; };
    struct Reader { virtual unsigned long count(List<int> list) const = 0; };
    struct Base : Reader { unsigned long count(List<int> list) const final; virtual int kind() const = 0; };
    const Reader& reader();`,
  'base.cpp': `
    #include "reader.hpp"
    unsigned long Base::count(List<int> list) const { return list.size; }`,
  'derived.cpp': `
    #include "reader.hpp"
    ${instantiated ? 'static_assert(sizeof(List<int>) > 0);' : ''}
    struct Derived final : Base { int kind() const override { return 1; } };
    const Reader& reader() { static const Derived derived; return derived; }`,
  'main.cpp': `
    #include "reader.hpp"
    extern "C" unsigned long answer() { const int data[] = {1, 2}; return reader().count({data, 2}); }`,
})

let said
const clang = (args, files) => {
  const common = ['--target=wasm32-wasip1', '-O2', '-fno-exceptions', '-fno-rtti', '-fno-threadsafe-statics']
  return commands['clang++']([...common, ...args], files, {
    stderr: bytes => { if (bytes) said += new TextDecoder().decode(bytes) },
    fetchProgress() {},
  })
}

async function result(optimized, instantiated) {
  said = ''
  const files = sources(instantiated)
  const objects = {}
  for (const name of ['base', 'derived', 'main']) {
    const object = `${name}.o`
    objects[object] = (await clang(['-c', ...(optimized.includes(name) ? ['-flto'] : []), `${name}.cpp`, '-o', object], files))[object]
  }
  const link = [...(optimized.length > 0 ? ['-flto'] : []), '-nostdlib', '-Wl,--no-entry,--export=answer', ...Object.keys(objects)]
  const { 'answer.wasm': wasm } = await clang([...link, '-o', 'answer.wasm'], objects)
  const warned = said.includes('warning: function signature mismatch')
  const { instance } = await WebAssembly.instantiate(wasm)
  try {
    return { value: instance.exports.answer(), warned }
  } catch (error) {
    return { value: `${error}`, warned }
  }
}

const plain = await result([], false)
const mixed = await result(['base', 'main'], false)
const complete = await result(['base', 'main'], true)
console.log(`without LTO: ${plain.value}
base with LTO, derived without: ${mixed.value}
the same, with the template instantiated: ${complete.value}`)
const isSame = plain.value === 2 && !plain.warned && complete.value === 2 && !complete.warned
process.exit(isSame && mixed.warned && mixed.value.startsWith('RuntimeError: null function') ? 0 : 1)
END
node link.mjs
