// The answer head of the bundled model: the measurements of models/training/interventions.mjs, and its example, which the page's
// lesson shows.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'

const kept = JSON.parse(readFileSync(inRoot('models/heed-stories.interventions.json'), 'utf8'))
let model
before(async () => {
  model = await loadModel()
})
after(() => model.dispose())

test('the example agrees with the model', async () => {
  const { question, word, other, layer, answer, patched, position, tokens } = kept.example
  const idsOf = content => model.tokenize(`<|im_start|>user\n${content}<|im_end|>\n<|im_start|>assistant\n`, { parseSpecial: true })
  const ids = await idsOf(question),
    patch = await idsOf(question.replace(word, other))
  assert.equal(ids.length, tokens)
  const positions = ids.flatMap((id, at) => (id === patch[at] ? [] : [[at, at]]))
  const write = async edits => (await model.generate(ids, { temperature: 0, maxTokens: 48, edits })).text
  assert.equal(await write([]), answer)
  assert.equal(await write([{ patch, layer, positions }]), patched)
  const whole = [...ids, ...(await model.tokenize(answer, { addSpecial: false }))]
  const { layers } = await model.lens(whole, { positions: [position] })
  const said = layers.map(
    ({
      predictions: [
        {
          top: [best],
        },
      ],
    }) => best.id,
  )
  assert.equal(said.at(-1), whole[position + 1])
  assert.notEqual(said[1], whole[position + 1])
})

test('the goals are met: patching changes nine answers of ten, and without the head the answer is less probable', () => {
  assert.ok(kept.questions.held >= 200)
  assert.ok(kept.patched[kept.example.layer].changes.share >= 0.9)
  assert.ok(kept.ablated.lower.share >= 0.8)
})
