// Writes bindings/js/store/tensor-types.generated.ts from src/tensor/dtype.hpp, the one table of tensor types: `node tools/tensor-types.mjs`.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inRoot } from './paths.mjs'

export const generated = inRoot('bindings/js/store/tensor-types.generated.ts')

/** The table: each type's name, its number in GGUF, and the values and bytes of a block. */
export function readTypes() {
  const table = readFileSync(inRoot('src/tensor/dtype.hpp'), 'utf8')
  return [...table.matchAll(/\{DType::\w+, "(\w+)", (\d+), (\d+), (\d+)\}/g)].map(([, name, code, values, bytes]) => ({
    name,
    code: Number(code),
    values: Number(values),
    bytes: Number(bytes),
  }))
}

/** The text of the file. */
export function tensorTypes() {
  const lines = readTypes()
    .sort((a, b) => a.code - b.code)
    .map(({ name, code, values, bytes }) => `  ${code}: [${values}, ${bytes}], // ${name}\n`)
  return (
    '// Written by tools/tensor-types.mjs from src/tensor/dtype.hpp.\n\n' +
    '/** Values and bytes per block of the tensor types that the engine reads, by their number in GGUF. */\n' +
    `export const tensorTypes: Record<number, readonly [values: number, bytes: number]> = {\n${lines.join('')}}\n`
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(generated, tensorTypes())
