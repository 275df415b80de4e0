// `npm run bench -- lab`: the cost of an adapter on all matrices, an ablated head, a constraint, and the lens, per generated token,
// in a browser. Each round measures all of them in turn. Prints the median and the best round: on a busy machine, the best is more
// reliable.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBrowser } from '../browsers/index.mjs'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { medians } from './medians.mjs'
import { chosenModels } from './models/chosen.mjs'
import { ggufFile } from './models/gguf.mjs'
import { figure, table } from './report.mjs'
import { serveBench } from './site.mjs'

/** Small numbers around 0, different ones for each matrix. */
const numbers = (count, seed) => Float32Array.from({ length: count }, (_, index) => 1e-3 * Math.sin(7 * index + seed))

/** An adapter of this rank for each matrix of the layers. */
function adapterFile(family, tensors, rank) {
  const factors = tensors
    .filter(({ name, shape }) => name.startsWith('blk.') && shape.length === 2)
    .flatMap(({ name, shape: [rows, columns] }, index) => [
      { name: `${name}.lora_a`, shape: [rank, columns], values: numbers(rank * columns, index) },
      { name: `${name}.lora_b`, shape: [rows, rank], values: numbers(rows * rank, index) },
    ])
  return ggufFile(
    {
      'general.architecture': ['string', family],
      'general.type': ['string', 'adapter'],
      'adapter.type': ['string', 'lora'],
      'adapter.lora.alpha': ['f32', rank],
    },
    factors,
  )
}

function print(name, { rank, layers, runs }, median, best) {
  const change = ratio => `${ratio < 1 ? '' : '+'}${((ratio - 1) * 100).toFixed(1)} %`
  const row = (title, key, note) => [
    title,
    ...[median, best].flatMap(figures => [figure(figures[key]), note(figures[key], figures.plainMs)]),
  ]
  const rate = ms => `${figure(1000 / ms)}/s`,
    cost = (ms, plainMs) => change(ms / plainMs)
  const rows = [
    [`${name}; ${runs} rounds`, 'median ms', '', 'best ms', ''],
    row('a token', 'plainMs', rate),
    row(`with an adapter of rank ${rank} on all matrices`, 'adaptedMs', cost),
    row('with that adapter at scale 0, and no edits', 'offMs', cost),
    row('with a head ablated', 'ablatedMs', cost),
    row('with a constraint that leaves it free', 'formedMs', cost),
    row('of a tool call, most of which is forced', 'calledMs', cost),
    row('the logits of one more token', 'logitsMs', rate),
    row(`the lens of one more token, ${layers} layers`, 'lensMs', rate),
  ]
  console.log(`\n${table(rows, [0])}\n`)
}

/** The minimum of each figure. */
const leastOf = rounds => Object.fromEntries(Object.keys(rounds[0]).map(key => [key, Math.min(...rounds.map(round => round[key]))]))

export async function benchLab(options, toolchain) {
  await buildPackage(toolchain)
  const models = await chosenModels(options, toolchain)
  const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  const results = []
  try {
    for (const { name, path, tensors } of models) {
      const adapter = join(folder, `${name}-adapter.gguf`)
      writeFileSync(adapter, adapterFile('llama', tensors, options.rank))
      const site = await serveBench({ 'model.gguf': path, 'adapter.gguf': adapter })
      const browser = await startBrowser(options.browser)
      try {
        const page = await browser.open(site.url)
        const call = (name, argument) =>
          page.evaluate(async ({ name, argument }) => (await import('./lab.js'))[name](argument), { name, argument })
        await step(`load ${name}`, () =>
          call('load', { url: 'model.gguf', adapterUrl: 'adapter.gguf', threads: options.threads, simd: options.simd }),
        )
        const rounds = []
        await step(`${name}: ${options.runs} rounds`, async () => {
          for (let round = 0; round < options.runs; round++)
            rounds.push(await call('round', { tokens: options.tokens, layers: options.layers }))
        })
        const [median, best] = [medians(rounds), leastOf(rounds)]
        print(name, options, median, best)
        results.push({ name, median, best, rounds })
      } finally {
        await browser.close()
        await site.close()
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return results
}
