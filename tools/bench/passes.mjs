// `npm run bench -- passes`: what passes of a few tokens take, relative to passes of one, in a browser. Speculation and several texts at
// once rest on it. Medians of runs, each in a new browser.
import { startBrowser } from '../browsers/index.mjs'
import { checkDot, dotFlags } from './dot.mjs'
import { medians } from './medians.mjs'
import { benchEachModel } from './each-model.mjs'
import { figure, table } from './report.mjs'

const rounds = 8 // of all sizes, in turns
const written = 6 // tokens of each of several texts in a round

async function measure({ url, file, options }) {
  const { threads, simd, dot, context, tokens } = options
  const counts = [1, ...tokens.filter(count => count !== 1)]
  const browser = await startBrowser(options.browser, { v8: dotFlags[dot] })
  try {
    const page = await browser.open(url)
    const call = (name, argument) =>
      page.evaluate(async ({ name, argument }) => (await import('./passes.js'))[name](argument), { name, argument })
    const parallel = Math.max(...counts)
    const { target } = await call('load', { url: file, threads, contextLength: context + parallel + written + 8, parallel, simd })
    checkDot(dot, target)
    await call('begin', { context })
    const ofOne = [],
      ofSeveral = []
    for (let round = 0; round < rounds; round++)
      for (const count of counts) {
        ;(ofOne[count] ??= []).push(await call('read', { count }))
        ;(ofSeveral[count] ??= []).push(await call('write', { count, tokens: written }))
      }
    const passes = Object.fromEntries(
      counts.map(count => {
        const [one, several] = [ofOne[count], ofSeveral[count]]
        return [
          count,
          { one: medians(one), several: medians(several), bestOfOne: Math.min(...one), bestOfSeveral: Math.min(...several) },
        ]
      }),
    )
    return { target, passes }
  } finally {
    await browser.close()
  }
}

function print(name, { threads, context, browser, runs }, { target, passes }) {
  const times = key => Object.values(passes).flatMap(({ [key]: ms }) => [figure(ms), figure(ms / passes[1][key])])
  const keys = ['one', 'bestOfOne', 'several', 'bestOfSeveral']
  const columns = keys.map(times)
  const rows = [
    [`${name}, ${threads} threads, after ${context}`, 'one text, ms', 'x', 'best', 'x', 'several, ms', 'x', 'best', 'x'],
    ...Object.keys(passes).map((count, at) => [`${count} tokens`, ...columns.flatMap(column => column.slice(2 * at, 2 * at + 2))]),
  ]
  console.log(`\n${table(rows, [0])}\n${browser}: ${target}; medians of ${runs}\n`)
}

export const benchPasses = (options, toolchain) => benchEachModel(options, toolchain, { measure, print })
