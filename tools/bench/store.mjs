// `npm run bench -- store`: the time that storing a model costs at its first load, and saves at the second, in a browser. Medians
// of runs, each in a new browser.
import { startBrowser } from '../browsers/index.mjs'
import { buildPackage } from '../building/package.mjs'
import { step } from '../running/steps.mjs'
import { medians } from './medians.mjs'
import { chosenModels } from './models/chosen.mjs'
import { serveSlowly } from './network.mjs'
import { figure, table } from './report.mjs'
import { serveBench } from './site.mjs'

/** Measures everything twice and keeps the better figures: the first round fills the system's caches. */
async function measure({ url, model, options: { browser: name, threads, simd } }) {
  const browser = await startBrowser(name)
  try {
    const page = await browser.open(url)
    const call = (name, argument) =>
      page.evaluate(async ({ name, argument }) => (await import('./store.js'))[name](argument), { name, argument })
    const load = cache => call('load', { url: model, threads, simd, cache })
    const fresh = [],
      keeping = [],
      kept = [],
      read = []
    for (let round = 0; round < 2; round++) {
      fresh.push(await load(false))
      await call('clear')
      keeping.push(await load(true))
      kept.push(await load(true))
      read.push(await call('read'))
    }
    const best = times => Math.min(...times)
    return {
      freshMs: best(fresh),
      keepingMs: best(keeping),
      keptMs: best(kept),
      readMs: best(read),
      listMs: await call('list'),
      keepingToFresh: best(keeping) / best(fresh),
      keptToRead: best(kept) / best(read),
    }
  } finally {
    await browser.close()
  }
}

/** A visit to the first new token of a text, of which so many tokens are kept, or read again; in a new tab each. */
async function measureVisits({ url, model, options: { browser: name, threads, simd, kept: tokens } }) {
  const browser = await startBrowser(name)
  try {
    const visit = async keep => {
      const page = await browser.open(url)
      const asked = { url: model, threads, simd, tokens, keep }
      const { milliseconds, reusedTokens } = await page.evaluate(
        async asked => (await import('./store.js')).firstWord(asked),
        asked,
      )
      await page.close()
      return { milliseconds, reusedTokens }
    }
    await visit(true)
    const times = { true: [], false: [] }
    for (const keep of [false, true, true]) {
      const { milliseconds, reusedTokens } = await visit(keep)
      if (reusedTokens >= tokens - 1 !== keep) throw new Error(`${reusedTokens} of ${tokens} tokens were kept`)
      times[keep].push(milliseconds)
    }
    const [againMs, visitMs] = [Math.min(...times.false), Math.min(...times.true)]
    return { againMs, visitMs, visitToAgain: visitMs / againMs }
  } finally {
    await browser.close()
  }
}

function printVisits(name, { threads, browser, kept }, { againMs, visitMs, visitToAgain }) {
  const rows = [
    [`${name}, ${threads} threads, ${browser}: a visit to the first word`, '', ''],
    [`${kept} tokens read again, ms`, figure(againMs), ''],
    [`${kept} tokens kept, ms`, figure(visitMs), `${figure(visitToAgain)} x`],
  ]
  console.log(`\n${table(rows, [0, 2])}\n`)
}

function print(name, { threads, browser, rate }, figures) {
  const { freshMs, keepingMs, keptMs, readMs, listMs, keepingToFresh, keptToRead } = figures
  const rows = [
    [`${name}, ${threads} threads, ${browser}`, '', ''],
    ['first load, ms', figure(freshMs), `at ${rate} MB/s`],
    ['first load, and kept', figure(keepingMs), `${figure(keepingToFresh)} x without`],
    ['load of what is kept', figure(keptMs), `${figure(keptToRead)} x its file read into memory`],
    ['its file, read into memory', figure(readMs), ''],
    ['list', figure(listMs), ''],
  ]
  console.log(`\n${table(rows, [0, 2])}\n`)
}

export async function benchStore(options, toolchain) {
  const [measured, printed] = options.kept ? [measureVisits, printVisits] : [measure, print]
  await buildPackage(toolchain)
  const models = await chosenModels(options, toolchain)
  const site = await serveBench({})
  const results = []
  try {
    for (const { name, path } of models) {
      const runs = []
      const network = await serveSlowly(path, options.rate)
      await step(`${name}: ${options.runs} runs`, async () => {
        for (let run = 0; run < options.runs; run++) runs.push(await measured({ url: site.url, model: network.url, options }))
      }).finally(network.close)
      const figures = medians(runs)
      printed(name, options, figures)
      results.push({ model: name, figures, runs })
    }
  } finally {
    await site.close()
  }
  return results
}
