// The dictionaries of the bundled model: they load, and keep the figures of their card on a text.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'

const catalogue = JSON.parse(readFileSync(inRoot('models/dictionaries/catalogue.json'), 'utf8'))

test('each loads, explains a text as its card says, and finds its named features where the card shows them', async () => {
  const model = await loadModel()
  try {
    assert.ok(catalogue.length >= 2)
    for (const { name, figures, features } of catalogue) {
      const sae = await model.loadFeatures(inRoot('models/dictionaries', name))
      assert.equal(sae.features, figures.features)
      const text =
        '<|im_start|>user\nA fox named Pip lost a lantern near the river. Who lost the lantern?<|im_end|>\n<|im_start|>assistant\n'
      const { l0, explainedVariance } = await model.features(text, { sae, parseSpecial: true })
      const mean = l0.reduce((sum, one) => sum + one, 0) / l0.length
      assert.ok(Math.abs(mean / figures.l0 - 1) < 0.5, `${name}: ${mean} features, ${figures.l0}`)
      assert.ok(explainedVariance > figures.explainedVariance - 0.2, `${name}: ${explainedVariance}, ${figures.explainedVariance}`)
      assert.ok(figures.recovered > 0.8 && features.length >= 10)
      // The texts begin in the middle, so values differ from the card's.
      let found = 0,
        all = 0
      for (const { feature, examples } of features) {
        for (const { before, token, after } of examples) {
          const { activations, tokens } = await model.features(before + token + after, {
            sae,
            activations: true,
            parseSpecial: true,
          })
          all++
          if (tokens.some((_, at) => activations[at * sae.features + feature] > 0)) found++
        }
      }
      assert.ok(found > 0.6 * all, `${name}: named features are on in ${found} of ${all} texts`)
    }
  } finally {
    await model.dispose()
  }
})
