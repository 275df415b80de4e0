// How well the bundled model's dictionaries stand for its values, on texts that they were not trained on, and the texts on which their
// named features are largest. Writes ../../dictionaries/catalogue.json, which the page reads.
//
//     node models/training/dictionaries/measure.mjs [TEXTS]      # needs the package (npm run build -- package)
//     node models/training/dictionaries/measure.mjs --look NAME  # prints where each feature is largest, to name it in names.json
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadModel } from 'heed'
import { dictionaries, folderOf } from './dictionaries.mjs'
import { asWritten, textsOf } from './states.mjs'

const heldOut = 'held-out dictionaries'
/** Tokens on both sides of an example. */
const around = 12

const rounded = value => Number(value.toFixed(4))

/** The sum of the natural logarithms of the probabilities of the tokens after the first. */
function lossOf(logits, ids, vocabulary) {
  let loss = 0
  for (let at = 0; at + 1 < ids.length; at++) {
    const row = logits.subarray(at * vocabulary, (at + 1) * vocabulary)
    const most = row.reduce((greatest, one) => Math.max(greatest, one), -Infinity)
    loss -= row[ids[at + 1]] - most - Math.log(row.reduce((sum, one) => sum + Math.exp(one - most), 0))
  }
  return loss
}

/** Explained variance, features that are on, and the loss of the model with the reconstruction, and with zeros, in the place of the value. */
export async function figuresOf(model, sae, { reads, writes }, texts) {
  const { vocabulary } = model.info
  const sums = { plain: 0, spliced: 0, zeroed: 0 }
  let tokens = 0,
    on = 0,
    error = 0,
    squares = 0
  const total = new Float64Array(sae.widthOut)
  const used = new Uint8Array(sae.features)
  for (const ids of texts) {
    const { l0, errorNorms, activations } = await model.features(ids, { sae, activations: true })
    const [{ data }] = (await model.trace(ids, { points: [writes] })).tensors
    activations.forEach((value, index) => (used[index % sae.features] |= value === 0 ? 0 : 1))
    error += errorNorms.reduce((sum, norm) => sum + norm ** 2, 0)
    data.forEach((value, index) => {
      squares += value ** 2
      total[index % sae.widthOut] += value
    })
    tokens += ids.length
    on += l0.reduce((sum, one) => sum + one, 0)
    for (const [name, edits] of Object.entries({ plain: [], spliced: [{ splice: sae }], zeroed: [{ at: writes, scale: 0 }] }))
      sums[name] += lossOf(await model.logits(ids, { positions: 'all', edits }), ids, vocabulary)
  }
  const variance = squares - total.reduce((sum, one) => sum + one ** 2, 0) / tokens
  const loss = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, rounded(sum / (tokens - texts.length))]))
  return {
    reads,
    writes,
    features: sae.features,
    tokens,
    explainedVariance: rounded(1 - error / variance),
    l0: rounded(on / tokens),
    used: used.reduce((sum, one) => sum + one, 0),
    loss,
    recovered: rounded((sums.zeroed - sums.spliced) / (sums.zeroed - sums.plain)),
  }
}

/** Where features are largest: {feature, count, examples: [{before, token, after, value}]}. At most one example of each text. */
export async function examplesOf(model, sae, { reads }, texts, features, top = 6) {
  const { examples } = await model.collect(texts, { points: [reads], examples: { sae, features, top: 8 * top } })
  const textOf = ids => model.detokenize(ids, { special: true })
  const found = []
  for (const { feature, count, examples: all } of examples) {
    const ofTexts = all.filter(({ text }, index) => all.findIndex(other => other.text === text) === index)
    const shown = []
    for (const { text, position, value } of ofTexts.slice(0, top)) {
      const ids = texts[text]
      shown.push({
        before: await textOf(ids.slice(Math.max(0, position - around), position)),
        token: await textOf(ids.slice(position, position + 1)),
        after: await textOf(ids.slice(position + 1, position + 1 + around)),
        value: rounded(value),
      })
    }
    found.push({ feature, count, examples: shown })
  }
  return found
}

const folder = new URL('../../dictionaries/', import.meta.url)

async function main([first = '150', name]) {
  const model = await loadModel()
  const read = async count => Promise.all((await textsOf(count, heldOut)).map(text => model.tokenize(text, asWritten)))
  const load = ({ name }) => model.loadFeatures(fileURLToPath(folderOf(name)))
  if (first === '--look') {
    const one = dictionaries.find(one => one.name === name)
    const sae = await load(one)
    const texts = await read(300)
    for (const { feature, count, examples } of await examplesOf(model, sae, one, texts, [...Array(sae.features).keys()], 5))
      console.log(
        `${feature} (${count})\n${examples.map(one => `   ${one.value}  ${JSON.stringify(`${one.before}⟦${one.token}⟧${one.after}`)}`).join('\n')}`,
      )
  } else {
    const names = JSON.parse(readFileSync(new URL('names.json', import.meta.url), 'utf8'))
    const texts = await read(Number(first))
    const catalogue = []
    for (const one of dictionaries) {
      const sae = await load(one)
      const figures = await figuresOf(model, sae, one, texts)
      const features = Object.keys(names[one.name]).map(Number)
      const found = await examplesOf(model, sae, one, texts, features)
      console.log(one.name, figures)
      catalogue.push({
        name: one.name,
        title: one.title,
        model: model.info.name,
        figures,
        features: found.map(({ feature, count, examples }) => ({ feature, name: names[one.name][feature], count, examples })),
      })
    }
    writeFileSync(new URL('catalogue.json', folder), `${JSON.stringify(catalogue, undefined, 1)}\n`)
  }
  await model.dispose()
}

if (import.meta.url === `file://${process.argv[1]}`) await main(process.argv.slice(2))
