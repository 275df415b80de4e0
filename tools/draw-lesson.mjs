// `node tools/draw-lesson.mjs`: writes data that the page shows before the models in models/ are loaded: web/lesson/maps.json (the
// heat maps of the lesson), the answers to its tasks, and the page's first example. Run it, with the package built, after a change
// of models/heed-stories.gguf.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadModel } from '../dist/index.node.js'
import { drawExample } from './draw-example.mjs'
import { drawTasks } from './draw-tasks.mjs'
import { inRoot } from './paths.mjs'

const translated = 'The small black cat sleeps under the table.'
const repeating = 'The fox found a lantern. The fox danced.'

const rounded = row => row.map(weight => Number(weight.toFixed(3)))

/** T x S weights; with `causal`, row r sees the first r + 1. */
const rowsOf = (weights, rows, columns, causal) =>
  Array.from({ length: rows }, (_, row) =>
    rounded([...weights.subarray(row * columns, row * columns + (causal ? row + 1 : columns))]),
  )

const textsOf = tokens => tokens.map(({ text }) => text.trim())

/** Cross-attention of the Transformer: French words to English ones. */
async function alignment() {
  const model = await loadModel(inRoot('models/tiny/heed-french.gguf'), { threads: 1 })
  const { text } = await model.generate(translated, { temperature: 0 })
  const [layer, head] = [1, 3] // models/tiny/README.md
  const { tokens, keys, weights } = await model.attention(text.trim(), { of: 'cross', source: translated, layers: [layer] })
  await model.dispose()
  // As in the viewer, a row belongs to the token that was read, from which the next one is chosen.
  const texts = textsOf(tokens)
  return {
    prompt: translated,
    layer,
    head,
    label: `Attention of “${text.trim()}” to “${translated}”`,
    rows: texts.slice(1).map((next, at) => `${at === 0 ? 'start' : texts[at]} → ${next}`),
    columns: textsOf(keys),
    weights: rowsOf(weights[0][head], tokens.length - 1, keys.length, false),
  }
}

/** Self-attention of the page's model, in the head that looks at the token after an earlier occurrence of the current one. */
async function repetition() {
  const { layer, head } = JSON.parse(readFileSync(inRoot('models/heed-stories.heads.json'), 'utf8')).find(
    ({ kind }) => kind === 'repeated',
  )
  const model = await loadModel(inRoot('models/heed-stories.gguf'), { threads: 1 })
  const { tokens, weights } = await model.attention(repeating, { layers: [layer] })
  await model.dispose()
  return {
    label: `Attention of “${repeating}” to itself`,
    rows: textsOf(tokens),
    columns: textsOf(tokens),
    weights: rowsOf(weights[0][head], tokens.length, tokens.length, true),
  }
}

/** {name: {label, rows, columns, weights}} */
export const drawMaps = async () => ({ alignment: await alignment(), repetition: await repetition() })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const write = (path, value) => writeFileSync(inRoot(path), `${JSON.stringify(value)}\n`)
  write('web/lesson/maps.json', await drawMaps())
  write('web/lesson/tasks.json', await drawTasks())
  write('web/chat/first/example.json', await drawExample())
}
