// gguf.py agrees with Heed about the alignment of a file and the codes of the types that it writes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readTypes } from '../../tools/tensor-types.mjs'

test('the alignment and the types of tensors are those of Heed', () => {
  const numbersIn = (file, pattern) => {
    const found = pattern.exec(readFileSync(new URL(file, import.meta.url), 'utf8'))
    assert.ok(found, `${file}: ${pattern}`)
    return found.slice(1).map(Number)
  }
  assert.deepEqual(
    numbersIn('gguf.py', /VERSION, ALIGNMENT = b"GGUF", 3, (\d+)/),
    numbersIn('../../src/formats/gguf.cpp', /"general.alignment", (\d+)/),
  )
  const codes = new Map(readTypes().map(({ name, code }) => [name, code]))
  assert.deepEqual(
    numbersIn('gguf.py', /F32, Q8_0 = (\d+), (\d+)/),
    ['F32', 'Q8_0'].map(name => codes.get(name)),
  )
})
