// The store knows the tensor types that the engine reads.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generated, tensorTypes } from '../../tools/tensor-types.mjs'

test('the tensor types of the store are those of src/tensor/dtype.hpp', () => {
  const text = tensorTypes()
  assert.ok(text.includes('40: [64, 36], // NVFP4'), text)
  assert.equal(readFileSync(generated, 'utf8'), text, 'run node tools/tensor-types.mjs')
})
