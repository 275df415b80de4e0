// `npm run bench -- memory`: how much more memory than an empty tab a tab takes whose model has read a long text, and how fast it then
// writes, with each type of cache, and for wllama with four bits. Measured on Linux: the memory of all processes of Chromium, in which
// shared memory counts once, without the program's own files, of which other browsers of the machine take a part. Chromium's own figure
// (`measureUserAgentSpecificMemory`) counts shared memory again for each thread.
import { proportionalMemory } from '../browsers/processes.mjs'
import { startUnwatched } from '../browsers/unwatched.mjs'
import { benchEachModel } from './each-model.mjs'
import { installWllama } from './engines/wllama.mjs'
import { peakOf } from './peak.mjs'
import { figure, table } from './report.mjs'

/** One engine in a new browser. Sizes are in bytes, above those of the empty tab. */
async function measure(name, { url, file, options: { threads, simd, context, tokens } }, kvCache) {
  const browser = await startUnwatched()
  const { profile } = browser
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
  const hasPeer = options.vs.includes('wllama')
  const engines = [...options.kv.map(type => [type, 'heed', type]), ...(hasPeer ? [['wllama q4_0', 'wllama', 'q4_0']] : [])]
  return benchEachModel(options, toolchain, {
    what: ` of ${engines.map(([name]) => name).join(', ')}`,
    folder: hasPeer ? await installWllama() : undefined,
    async measure(run) {
      const figures = {}
      for (const [name, engine, type] of engines) figures[name] = await measure(engine, run, type)
      return figures
    },
    print,
  })
}
