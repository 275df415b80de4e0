// The table of docs/which-model.md: how much memory models of well-known shapes take, computed from these shapes. `node
// tools/docs/sizes.mjs` writes it there; tests/docs/facts.test.js computes it again and compares it with what the package takes.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { tensorsOf } from '../bench/models/shapes.mjs'
import { inRoot } from '../paths.mjs'

const page = inRoot('docs/which-model.md')

const shape = (width, layers, heads, kvHeads, headDim, feedForward, vocabulary) => ({
  family: 'llama',
  width,
  layers,
  heads,
  kvHeads,
  headDim,
  feedForward,
  vocabulary,
  tied: true,
})

/** Shapes as the models' own config.json has them; biases and norms of single heads, a few kilobytes, are left out. */
export const models = {
  'SmolLM2 135M': shape(576, 30, 9, 3, 64, 1536, 49152),
  'SmolLM2 360M': shape(960, 32, 15, 5, 64, 2560, 49152),
  'Qwen2.5 0.5B': shape(896, 24, 14, 2, 64, 4864, 151936),
  'Qwen3 0.6B': shape(1024, 28, 16, 8, 128, 3072, 151936),
  'Llama 3.2 1B': shape(2048, 16, 32, 8, 64, 8192, 128256),
  'Qwen2.5 1.5B': shape(1536, 28, 12, 2, 128, 8960, 151936),
  'SmolLM2 1.7B': shape(2048, 24, 32, 32, 64, 8192, 49152),
  'Qwen3 1.7B': shape(2048, 28, 16, 8, 128, 6144, 151936),
  'Llama 3.2 3B': shape(3072, 28, 24, 8, 128, 8192, 128256),
}

/** Positions come in chunks of this many. */
const chunk = 256

/** Bytes of the keys and values of a text of so many tokens, in the type int16: two bytes for each number, four for each vector's scale. */
export const cacheBytes = ({ layers, kvHeads, headDim }, tokens) =>
  Math.ceil(tokens / chunk) * chunk * layers * kvHeads * 2 * (2 * headDim + 4)

/** Bytes of the weights, if all matrices have one format. */
export const weightBytes = (shape, format) => tensorsOf(shape, format).reduce((sum, { bytes }) => sum + bytes, 0)

const parameters = shape => tensorsOf(shape, 'q8_0').reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b), 0)
const inMegabytes = bytes => `${Math.round(bytes / 1e6).toLocaleString('en')} MB`
const contexts = [1024, 4096, 8192]

/** The table in Markdown. */
export function sizesTable() {
  const columns = ['model', 'parameters', 'Q4_0', 'Q8_0', ...contexts.map(tokens => `${tokens.toLocaleString('en')} tokens`)]
  const rows = Object.entries(models).map(([name, shape]) => [
    name,
    `${(parameters(shape) / 1e9).toFixed(2)} B`,
    ...['q4_0', 'q8_0'].map(format => inMegabytes(weightBytes(shape, format))),
    ...contexts.map(tokens => inMegabytes(cacheBytes(shape, tokens))),
  ])
  return [columns, columns.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
}

const place = /(?<=<!-- sizes -->\n)[^]*?(?=\n<!-- end of sizes -->)/

/** The table as the page has it. */
export const shownTable = () => place.exec(readFileSync(page, 'utf8'))[0]

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(page, readFileSync(page, 'utf8').replace(place, sizesTable))
}
