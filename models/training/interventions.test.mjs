// interventions.mjs measures the figures in ../heed-stories.interventions.json: needs the package (`npm run build -- package`).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { measure, questionsOf } from './interventions.mjs'

const kept = JSON.parse(readFileSync(new URL('../heed-stories.interventions.json', import.meta.url), 'utf8'))

test('a few questions give what all of them gave', async () => {
  const model = await loadModel()
  try {
    const { questions, head, patched, ablated, lens } = await measure(model, questionsOf(40))
    assert.ok(questions.cases >= 20 && questions.share > 0.7)
    assert.deepEqual(head, kept.head)
    assert.equal(patched.length, kept.patched.length)
    assert.ok(patched[0].changes.share >= 0.9 && ablated.lower.share >= 0.8)
    assert.equal(lens.at(-1).share, 1)
  } finally {
    await model.dispose()
  }
})
