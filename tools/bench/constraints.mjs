// `npm run bench -- constraints`: the cost of JSON Schema constraints in a browser: per vocabulary, per schema, and per token's
// mask.
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { startBrowser } from '../browsers/index.mjs'
import { buildModule } from '../building/modules.mjs'
import { inRoot } from '../paths.mjs'
import { step } from '../running/steps.mjs'
import { serveConstraints } from './constraints/site.mjs'
import { installXGrammar } from './engines/xgrammar.mjs'
import { medians } from './medians.mjs'
import { natively, programAt } from './programs.mjs'
import { figure, table } from './report.mjs'

/** Chromium's clock advances in steps of this, at a random phase. */
const clockMicroseconds = 5

/**
 * The time below which a share of the times lies; within a step of the clock, times count as evenly spread over the two steps
 * around it.
 */
function quantile(times, share) {
  const sorted = Float64Array.from(times).sort()
  const at = sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)]
  const below = sorted.filter(time => time < at - clockMicroseconds / 2).length
  const same = sorted.filter(time => Math.abs(time - at) <= clockMicroseconds / 2).length
  return Math.max(0, at + clockMicroseconds * ((share * sorted.length - below) / same - 0.5))
}

const mean = times => times.reduce((sum, time) => sum + time, 0) / times.length

const figuresOf = ({ prepareMs, prepareBytes, bytes, first, accept, mask, stopped, refused }) => ({
  prepareMs,
  prepareMegabytes: prepareBytes / 1e6,
  megabytes: bytes / 1e6,
  firstMs: quantile(first, 0.5) / 1000,
  first99Ms: quantile(first, 0.99) / 1000,
  firstWorstMs: Math.max(...first) / 1000,
  maskUs: quantile(mask, 0.5),
  mask99Us: quantile(mask, 0.99),
  maskWorstUs: mask.reduce((a, b) => Math.max(a, b), 0),
  maskMeanUs: mean(mask),
  acceptMeanUs: mean(accept),
  masks: mask.length,
  schemas: first.length,
  stopped,
  refused,
})

/** Measures in a new browser, in a worker of a page. */
async function measure(name, { url, engine, every, seconds }) {
  const browser = await startBrowser(name)
  try {
    const page = await browser.open(url)
    return figuresOf(
      await page.evaluate(
        message =>
          new Promise((resolve, reject) => {
            const worker = new Worker('worker.js', { type: 'module' })
            worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data))
            worker.onerror = event => reject(new Error(event.message || 'the worker cannot be loaded'))
            worker.postMessage(message)
          }),
        { engine, every, seconds },
      ),
    )
  } finally {
    await browser.close()
  }
}

/** Writes the vocabulary and the texts as tokens; resolves to {name in the page: path}. */
async function writeInputs(toolchain, { file, schemas }) {
  const folder = inRoot('build/bench')
  mkdirSync(folder, { recursive: true })
  const inputs = { 'vocabulary.bin': `${folder}/vocabulary.bin`, 'cases.jsonl': `${folder}/cases.jsonl` }
  const run = await programAt(toolchain, 'heed_constraint_inputs', natively)
  const lines = await run('texts to tokens', [resolve(file), resolve(schemas), inputs['vocabulary.bin']])
  writeFileSync(inputs['cases.jsonl'], lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  return { inputs, tokens: lines[0].tokens }
}

const titles = {
  prepareMs: 'vocabulary, ms',
  prepareMegabytes: 'memory then, MB',
  firstMs: 'schema and first mask, ms',
  first99Ms: '  99th percentile',
  firstWorstMs: '  worst',
  maskUs: 'mask, us',
  mask99Us: '  99th percentile',
  maskWorstUs: '  worst',
  maskMeanUs: '  mean',
  acceptMeanUs: 'accept a token, us, mean',
  megabytes: 'memory at the end, MB',
  schemas: 'schemas',
  refused: '  refused',
  masks: 'masks',
  stopped: 'valid texts refused',
}

function print({ tokens, browser, engines }) {
  const rows = Object.entries(titles).map(([key, title]) => [
    title,
    ...Object.values(engines).map(figures => (Number.isInteger(figures[key]) ? String(figures[key]) : figure(figures[key]))),
  ])
  console.log(`\n${table([[`${tokens} tokens, ${browser}`, ...Object.keys(engines)], ...rows], [0])}\n`)
}

export async function benchConstraints(options, toolchain) {
  const { browser, runs, every, seconds, vs } = options
  const xgrammar = vs.includes('xgrammar') ? await installXGrammar() : undefined
  await buildModule(toolchain, 'constraints')
  const { inputs, tokens } = await writeInputs(toolchain, options)
  const site = await serveConstraints(inputs, xgrammar)
  try {
    const all = []
    for (let run = 0; run < runs; run++) {
      const figures = {}
      for (const engine of ['heed', ...vs]) {
        figures[engine] = await step(`run ${run + 1}: ${engine}`, () => measure(browser, { url: site.url, engine, every, seconds }))
      }
      all.push(figures)
    }
    const result = { tokens, browser, engines: medians(all), runs: all }
    print(result)
    return result
  } finally {
    await site.close()
  }
}
