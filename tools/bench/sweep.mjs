// `npm run bench -- sweep`: sweeps relative to as many calls of one cell each, and the features of a text relative to its pass, in a
// browser or in Node, in one run. Of the single calls, some are timed, which are spread evenly over the cells; the others are taken to cost as much.
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { medians } from './medians.mjs'
import { chosenModels } from './models/chosen.mjs'
import { modelFile } from './models/index.mjs'
import { callAt } from './places.mjs'
import { figure, table } from './report.mjs'
import { serveBench } from './site.mjs'

const last = 8 // positions of the third table
const wide = { model: '1.1b', format: 'q4_0', tokens: 200, count: 16384, rounds: 2 } // of the features

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

export async function benchSweep(options, toolchain) {
  await buildPackage(toolchain)
  const { browser: place, threads, simd, tokens, samples } = options
  const [{ name, path }] = await chosenModels(options, toolchain)
  const site = await serveBench({ 'model.gguf': path, 'wide.gguf': modelFile(wide.model, wide.format) })
  const call = (name, file, argument) =>
    callAt({ place, url: site.url, toolchain }, 'sweep.js', name, { url: `${site.url}${file}`, threads, simd, ...argument })
  try {
    const tables = await step(`${name}: sweeps and single calls`, () => call('tables', 'model.gguf', { tokens, samples, last }))
    const { on, ...times } = await step(`${wide.model}: features`, () => call('features', 'wide.gguf', wide))
    const features = { ...Object.fromEntries(Object.entries(times).map(([key, all]) => [key, medians(all)])), on }
    print(name, options, { tables, features })
    return [{ model: name, tables, features }]
  } finally {
    await site.close()
  }
}
