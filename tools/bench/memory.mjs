// `npm run bench -- memory`: how much more memory than an empty tab a tab takes whose model has read a long text, and how fast it then
// writes, with each type of cache, and for wllama with four bits. Measured on Linux: the memory of all processes of Chromium, in which
// shared memory counts once. Chromium's own figure (`measureUserAgentSpecificMemory`) counts it again for each thread.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '../browsers/chromium.mjs'
import { proportionalMemory } from '../browsers/processes.mjs'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { installWllama } from './engines/wllama.mjs'
import { chosenModels } from './models/chosen.mjs'
import { medians } from './medians.mjs'
import { figure, table } from './report.mjs'
import { serveBench } from './site.mjs'

const everyMs = 200

/** Calls `run`; resolves to the most memory that the browser took meanwhile. */
async function peakOf(profile, run) {
  let most = 0
  const look = () => {
    most = Math.max(most, proportionalMemory(profile))
  }
  const timer = setInterval(look, everyMs)
  try {
    await run()
    look()
    return most
  } finally {
    clearInterval(timer)
  }
}

/** One engine in a new browser. Sizes are in bytes, above those of the empty tab. */
async function measure(name, { url, file, options: { threads, simd, context, tokens } }, kvCache) {
  const profile = mkdtempSync(join(tmpdir(), 'heed-bench-'))
  const browser = await startChromium({ profile })
  try {
    const page = await browser.open(url)
    const inEngine = (call, argument) =>
      page.evaluate(async ([name, call, argument]) => (await bench.engine(name))[call](argument), [name, call, argument])
    await page.evaluate(name => bench.engine(name), name)
    const empty = proportionalMemory(profile)
    const figures = {}
    const peak = await peakOf(profile, async () => {
      await inEngine('load', { url: file, threads, simd, kvCache, contextLength: context + tokens })
      const prompt = Array.from({ length: context }, (_, i) => 3 + ((i * 7) % 256))
      const { prefillMs, promptTokens, decodeMs, generatedTokens } = await inEngine('generate', { prompt, tokens })
      figures.reading = (promptTokens / prefillMs) * 1000
      figures.writing = ((generatedTokens - 1) / decodeMs) * 1000
    })
    return {
      peakBytes: peak - empty,
      afterBytes: proportionalMemory(profile) - empty,
      ...figures,
    }
  } finally {
    await browser.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

function print(name, { threads, context }, figures) {
  const engines = Object.keys(figures)
  const [first] = engines
  const row = (title, key, unit) => [
    title,
    ...engines.map(engine => {
      const value = figures[engine][key]
      return engine === first ? figure(value / unit) : `${figure(value / unit)} (${figure(value / figures[first][key])}x)`
    }),
  ]
  const rows = [
    [`${name}, ${context} tokens, ${threads} threads`, ...engines],
    row('above an empty tab, peak, MB', 'peakBytes', 1e6),
    row('above an empty tab, after, MB', 'afterBytes', 1e6),
    row('prompt, tok/s', 'reading', 1),
    row('generating then, tok/s', 'writing', 1),
  ]
  console.log(`\n${table(rows, [0])}\n`)
}

export async function benchMemory(options, toolchain) {
  const peers = options.vs.includes('wllama') ? { 'wllama q4_0': 'q4_0' } : {}
  const folder = options.vs.includes('wllama') ? await installWllama() : undefined
  await buildPackage(toolchain)
  const models = await chosenModels(options, toolchain)
  const site = await serveBench(Object.fromEntries(models.map(({ name, path }) => [`${name}.gguf`, path])), folder)
  const engines = {
    ...Object.fromEntries(options.kv.map(type => [type, run => measure('heed', run, type)])),
    ...Object.fromEntries(Object.entries(peers).map(([name, type]) => [name, run => measure('wllama', run, type)])),
  }
  const results = []
  try {
    for (const { name } of models) {
      const runs = []
      await step(`${name}: ${options.runs} runs of ${Object.keys(engines).join(', ')}`, async () => {
        for (let run = 0; run < options.runs; run++) {
          const figures = {}
          for (const [engine, measured] of Object.entries(engines))
            figures[engine] = await measured({ url: site.url, file: `${name}.gguf`, options })
          runs.push(figures)
        }
      })
      const figures = medians(runs)
      print(name, options, figures)
      results.push({ model: name, figures, runs })
    }
  } finally {
    await site.close()
  }
  return results
}
