// Whether sweeps find where the bundled model has the word of an answer, and what moves it: on held-out questions (stories/sources.py), the
// word is exchanged in the story, and what the model had of it is restored value by value (activation patching, arXiv:2202.05262).
//
//     npm run build -- package && node models/training/sweeps.mjs [QUESTIONS]      # writes ../heed-stories.sweeps.json
//
// The position is found if, after the last layer below the answer head's, the state that restores most is at a token of the word. The layer is
// found if, of all heads that can move it from there, the answer head restores most; heads of the first layer join the word's own tokens.
// Those questions count that the model answers with the word, greedily.
import { readFileSync, writeFileSync } from 'node:fs'
import { loadModel } from 'heed'
import { has, idsOf, questionsOf, swapOf } from './interventions.mjs'

const here = file => new URL(file, import.meta.url)
const answer = JSON.parse(readFileSync(here('../heed-stories.heads.json'), 'utf8')).find(({ kind }) => kind === 'answer')

/** The tokens before the first of the answer's word, that token, and the one in its place for the other word; undefined if wrong. */
async function askedOf(model, one) {
  const ids = await idsOf(model, one.question)
  const swap = await swapOf(model, ids, one)
  if (!swap) return undefined
  const { text, tokens } = await model.generate(ids, { temperature: 0, maxTokens: 48 })
  if (!has(text, one.word)) return undefined
  const begin = text.search(new RegExp(`\\b${one.word}\\b`))
  let length = 0
  const step = tokens.findIndex(piece => (length += piece.text.length) > begin)
  const written = tokens.slice(0, step).map(({ id }) => id)
  const clean = [...ids, ...written]
  const corrupted = [...swap.ids, ...written]
  const logits = await model.logits(corrupted)
  const against = logits.reduce((most, logit, id) => (logit > logits[most] ? id : most), 0)
  const token = tokens[step].id
  return token === against
    ? undefined
    : { clean, corrupted, metric: { token, against }, places: swap.positions.map(([place]) => place) }
}

/** The index of the largest number. */
const largest = values => values.reduce((most, value, at) => (value > values[most] ? at : most), 0)

/** Whether the position and the layer of the word are found for a question that `askedOf` has prepared. */
async function foundBy(model, { places, clean, corrupted, metric }) {
  const first = Math.min(...places)
  const positions = Array.from({ length: clean.length - first }, (_, index) => first + index)
  const states = await model.sweep({ clean, corrupted, metric, at: 'resid', positions, layers: [answer.layer - 1] })
  const { heads, layers } = model.info
  const moving = [...Array(layers).keys()].slice(1)
  const moved = largest((await model.sweep({ clean, corrupted, metric, at: 'z', layers: moving })).normalized)
  return {
    position: places.includes(positions[largest(states.normalized)]),
    layer: moving[Math.floor(moved / heads)] === answer.layer && moved % heads === answer.head,
  }
}

export async function measure(model, questions, most = Infinity) {
  const counts = { position: 0, layer: 0, both: 0 }
  let cases = 0
  for (const one of questions) {
    if (cases === most) break
    const asked = await askedOf(model, one)
    if (!asked) continue
    const { position, layer } = await foundBy(model, asked)
    cases++
    counts.position += position
    counts.layer += layer
    counts.both += position && layer
  }
  return Object.fromEntries(
    Object.entries(counts).map(([name, held]) => [name, { share: Number((held / cases).toFixed(4)), held, cases }]),
  )
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const most = Number(process.argv[2] ?? 200)
  const model = await loadModel()
  const measured = await measure(model, questionsOf(Math.ceil(most * 1.4)), most)
  await model.dispose()
  writeFileSync(here('../heed-stories.sweeps.json'), `${JSON.stringify(measured, undefined, 2)}\n`)
  console.log(measured)
}
