// `npm run bench -- sweep`: sweeps relative to as many calls of one cell each, and the features of a text relative to its pass, in a
// browser or in Node, in one run. Of the single calls, some are timed, which are spread evenly over the cells; the others are taken to cost as much.
import { startBrowser } from '../browsers/index.mjs'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { medians } from './medians.mjs'
import { chosenModels } from './models/chosen.mjs'
import { modelFile } from './models/index.mjs'
import { figure, table } from './report.mjs'
import { serveBench } from './site.mjs'

const last = 8 // positions of the third table
const wide = { model: '1.1b', format: 'q4_0', tokens: 200, count: 16384, rounds: 2 } // of the features

/** `count` of the cells, spread evenly over both axes. */
const sampled = (cells, count) =>
  Array.from({ length: Math.min(count, cells.length) }, (_, index) => cells[Math.floor(((index + 0.5) * cells.length) / count)])

/** A table's sweep and its cells as single calls, in milliseconds. */
async function tableOf(call, sweep, cells, samples) {
  const sweepMs = await sweep()
  const ways = {}
  for (const way of ['replace', 'patch']) {
    await call('single', { ...cells[0], way })
    const times = []
    for (const cell of sampled(cells, samples)) times.push(await call('single', { ...cell, way }))
    ways[way] = (times.reduce((sum, ms) => sum + ms, 0) / times.length) * cells.length
  }
  return { cells: cells.length, sweepMs, ...ways }
}

async function tables(call, { tokens, samples }) {
  const { layers, heads } = await call('begin', { tokens })
  const all = count => Array.from({ length: count }, (_, index) => index)
  const states = positions =>
    ['embed', ...all(layers).map(layer => `resid.${layer}`)].flatMap(point => positions.map(position => ({ point, position })))
  const ofHeads = all(layers).flatMap(layer => all(heads).map(head => ({ point: `head.${layer}`, head })))
  const ends = all(last).map(index => tokens - last + index)
  return {
    [`${layers + 1} layers x ${tokens} positions`]: await tableOf(
      call,
      () => call('sweepStates', {}),
      states(all(tokens)),
      samples,
    ),
    [`${layers} layers x ${heads} heads`]: await tableOf(call, () => call('sweepHeads', {}), ofHeads, samples),
    [`${layers + 1} layers x the last ${last}`]: await tableOf(
      call,
      () => call('sweepStates', { positions: ends }),
      states(ends),
      samples,
    ),
  }
}

function print(name, { threads, browser, samples }, { tables: all, features }) {
  const rows = Object.entries(all).map(([title, { cells, sweepMs, replace, patch }]) => [
    title,
    `${cells}`,
    figure(sweepMs / 1000),
    figure(replace / 1000),
    `${figure(replace / sweepMs)}x`,
    figure(patch / 1000),
    `${figure(patch / sweepMs)}x`,
  ])
  const titles = [`${name}, ${threads} threads`, 'cells', 'sweep, s', 'by replace, s', '', 'by patch, s', '']
  console.log(`\n${table([titles, ...rows], [0])}\n${browser}; single calls from ${samples} cells of each table`)
  const { passMs, featuresMs, on } = features
  console.log(
    `${wide.model}, ${wide.format}: ${wide.count} features of ${wide.tokens} tokens, ${figure(on)} on at a token: ` +
      `${figure(featuresMs)} ms, ${figure(featuresMs / passMs)} x the pass (${figure(passMs)} ms)\n`,
  )
}

async function inBrowser(files, name) {
  const site = await serveBench(files)
  const browser = await startBrowser(name)
  const page = await browser.open(site.url)
  return {
    call: (name, argument) =>
      page.evaluate(async ({ name, argument }) => (await import('./sweep.js'))[name](argument), { name, argument }),
    urlOf: file => file,
    async close() {
      await browser.close()
      await site.close()
    },
  }
}

async function inNode(files) {
  const script = await import('./site/sweep.js')
  return {
    call: (name, argument) => script[name](argument),
    urlOf: file => files[file],
    close: () => script.end(),
  }
}

export async function benchSweep(options, toolchain) {
  await buildPackage(toolchain)
  const [{ name, path }] = await chosenModels(options, toolchain)
  const files = { 'model.gguf': path, 'wide.gguf': modelFile(wide.model, wide.format) }
  const { call, urlOf, close } = await (options.browser === 'node' ? inNode(files) : inBrowser(files, options.browser))
  try {
    const load = file => call('load', { url: urlOf(file), threads: options.threads, simd: options.simd, contextLength: 512 })
    const result = {}
    await step(`${name}: sweeps and single calls`, async () => {
      await load('model.gguf')
      result.tables = await tables(call, options)
    })
    await step(`${wide.model}: features`, async () => {
      await load('wide.gguf')
      const { on, ...times } = await call('features', wide)
      result.features = { ...Object.fromEntries(Object.entries(times).map(([key, all]) => [key, medians(all)])), on }
    })
    print(name, options, result)
    return [{ model: name, ...result }]
  } finally {
    await close()
  }
}
