// Damaged files give a HeedError or a working model, never a crash or a hang. HEED_DAMAGED_COPIES sets their number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HeedError, loadModel } from 'heed'
import { projectorFile, shaded } from '../support/projector_model.mjs'
import { defaultModelBytes, random } from './support.mjs'

const copies = Number(process.env.HEED_DAMAGED_COPIES ?? 40)

/** Odd copies are truncated; even ones have a few bits flipped, in half of them only within the first 2000 bytes, in the header. */
function damaged(bytes, seed) {
  const below = random(seed)
  if (seed % 2 === 1) return bytes.slice(0, below(bytes.length))
  const copy = Buffer.from(bytes)
  const range = seed % 4 === 0 ? 2000 : bytes.length
  for (let flips = 1 + below(8); flips > 0; flips--) copy[below(range)] ^= 1 << below(8)
  return copy
}

/** Runs `use` on each copy, and checks that most of the damage is found, and by errors that are the package's own. */
async function survives(bytes, use) {
  const outcomes = {}
  for (let seed = 1; seed <= copies; seed++) {
    let outcome = 'works'
    try {
      await use(damaged(bytes, seed))
    } catch (error) {
      assert.ok(error instanceof HeedError, `copy ${seed}: ${error}`)
      outcome = error.code
    }
    assert.notEqual(outcome, 'crashed', `copy ${seed}`)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  assert.ok(outcomes['invalid-file'] >= copies / 2, JSON.stringify(outcomes))
}

test(`survives ${copies} damaged copies of a model`, { timeout: 300_000 }, () =>
  survives(defaultModelBytes(), async copy => {
    const model = await loadModel(copy, { threads: 1 })
    await model.generate('Once', { maxTokens: 4 }).finally(() => model.dispose())
  }),
)

test(`survives ${copies} damaged copies of a projector`, { timeout: 300_000 }, () =>
  survives(projectorFile(128), async projector => {
    const model = await loadModel(undefined, { projector, threads: 1 }) // of the bundled model's width
    await model.generate(['Once', { image: shaded(3) }], { maxTokens: 4 }).finally(() => model.dispose())
  }),
)
