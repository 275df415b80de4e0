// Damaged files give a HeedError or a working model, never a crash or a hang. HEED_DAMAGED_COPIES sets their number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeedError, loadModel } from 'heed'
import { defaultModelBytes, random } from './support.mjs'

const copies = Number(process.env.HEED_DAMAGED_COPIES ?? 40)
const bytes = defaultModelBytes()

/** Odd copies are truncated; even ones have a few bits flipped, in half of them only within the first 2000 bytes, in the header. */
function damaged(seed) {
  const below = random(seed)
  if (seed % 2 === 1) return bytes.slice(0, below(bytes.length))
  const copy = Buffer.from(bytes)
  const range = seed % 4 === 0 ? 2000 : bytes.length
  for (let flips = 1 + below(8); flips > 0; flips--) copy[below(range)] ^= 1 << below(8)
  return copy
}

test(`survives ${copies} damaged copies of a model`, { timeout: 300_000 }, async () => {
  const outcomes = {}
  for (let seed = 1; seed <= copies; seed++) {
    let outcome = 'works'
    try {
      const model = await loadModel(damaged(seed), { threads: 1 })
      await model.generate('Once', { maxTokens: 4 }).finally(() => model.dispose())
    } catch (error) {
      assert.ok(error instanceof HeedError, `copy ${seed}: ${error}`)
      outcome = error.code
    }
    assert.notEqual(outcome, 'crashed', `copy ${seed}`)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  assert.ok(outcomes['invalid-file'] >= copies / 2, JSON.stringify(outcomes))
})
