#!/bin/sh
# Clang's -mrelaxed-simd changes what plain C++ computes, by the place of a number in its array.
#
# Guessed: the flag allows the relaxed intrinsics and changes nothing for code that calls none, since floats are strict without -ffast-math.
# Seen, with Clang 22 of @yowasp/clang 22.0.0-git20542-10, target wasm32-wasip1, -O2, a processor with fused multiplication, Node 20, for
# `out[i] = a[i] * b[i] + c[i]` over six equal elements, 1 + 2^-12 times itself minus (1 + 2^-11):
#
#     -msimd128: f32x4.mul, f32x4.add, f32.mul, f32.add gives 0, 0, 0, 0, 0, 0
#     -msimd128 -mrelaxed-simd: f32x4.relaxed_madd, f32.mul, f32.add gives 2^-24, 2^-24, 2^-24, 2^-24, 0, 0
#     -msimd128 -mrelaxed-simd -ffp-contract=off: f32x4.mul, f32x4.add, f32.mul, f32.add gives 0, 0, 0, 0, 0, 0
#
# Clang contracts within an expression by default (-ffp-contract=on), which has meant nothing in WebAssembly, where nothing is fused. With
# relaxed SIMD, a contracted vector is one instruction, which rounds once or twice as the processor likes; a scalar stays two. So a loop that
# is vectorized rounds its last elements in another way than the others, and the same kernel with the same input depends on the length of
# an array (a sequence, a batch) and on the machine. -ffp-contract=off keeps only what was asked for.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund @yowasp/clang@22.0.0-git20542-10
cat > positions.js <<'END'
import v8 from 'node:v8'
import { commands } from '@yowasp/clang'

v8.setFlagsFromString('--experimental-wasm-relaxed-simd') // Node 20 needs it
const source = `
  extern "C" {
  float a[6], b[6], c[6], out[6];
  float* array(int at) { float* all[] = {a, b, c, out}; return all[at]; }
  void combine(const float* __restrict a, const float* __restrict b, const float* __restrict c, float* __restrict out, int n) {
    for (int i = 0; i < n; i++) out[i] = a[i] * b[i] + c[i];
  }
  }`
const clang = (flags, output) =>
  commands['clang++'](['--target=wasm32-wasip1', '-O2', '-nostdlib', ...flags, 'combine.cpp', '-o', output], { 'combine.cpp': source }, { fetchProgress() {} })

async function results(flags) {
  const assembly = (await clang([...flags, '-S'], 'combine.s'))['combine.s']
  const text = typeof assembly === 'string' ? assembly : new TextDecoder().decode(assembly)
  const used = ['f32x4.relaxed_madd', 'f32x4.mul', 'f32x4.add', 'f32.mul', 'f32.add'].filter(name => new RegExp(`\\s${name.replace('.', '\\.')}\\s`).test(text))
  const { 'combine.wasm': wasm } = await clang([...flags, '-Wl,--no-entry,--export=array,--export=combine'], 'combine.wasm')
  const { memory, array, combine } = (await WebAssembly.instantiate(wasm)).instance.exports
  const place = [0, 1, 2, 3].map(at => array(at))
  for (const [at, value] of [1 + 2 ** -12, 1 + 2 ** -12, -1 - 2 ** -11].entries()) new Float32Array(memory.buffer, place[at], 6).fill(value)
  combine(...place, 6)
  const values = [...new Float32Array(memory.buffer, place[3], 6)].map(value => (value === 2 ** -24 ? '2^-24' : `${value}`))
  console.log(`${flags.join(' ')}: ${used.join(', ')} gives ${values.join(', ')}`)
  return { used: used.join(), values: values.join() }
}

const strict = 'f32x4.mul,f32x4.add,f32.mul,f32.add'
const plain = await results(['-msimd128'])
const relaxed = await results(['-msimd128', '-mrelaxed-simd'])
const off = await results(['-msimd128', '-mrelaxed-simd', '-ffp-contract=off'])
const isStrict = [plain, off].every(({ used, values }) => used === strict && values === '0,0,0,0,0,0')
const isMixed = relaxed.used === 'f32x4.relaxed_madd,f32.mul,f32.add' && /^(2\^-24,){4}0,0$|^(0,){5}0$/.test(relaxed.values) // without fused ones, 0
process.exit(isStrict && isMixed ? 0 : 1)
END
node positions.js
