// `npm run bench -- passes`: what passes of a few tokens take, relative to passes of one, in a browser or Node. Speculation and several
// texts at once rest on it. Medians of runs, each in a new browser or process.
import { checkDot } from './dot.mjs'
import { medians } from './medians.mjs'
import { benchEachModel } from './each-model.mjs'
import { callAt } from './places.mjs'
import { figure, table } from './report.mjs'

const rounds = 8 // of all sizes, in turns
const written = 6 // tokens of each of several texts in a round

async function measure({ url, file, options, toolchain }) {
  const { browser: place, threads, simd, dot, context, tokens } = options
  const counts = [1, ...tokens.filter(count => count !== 1)]
  const asked = { url: `${url}${file}`, counts, rounds, context, tokens: written, threads, simd }
  const { target, times } = await callAt({ place, dot, url, toolchain }, 'passes.js', 'passes', asked)
  checkDot(dot, target)
  const passes = times.map(({ count, one, several }) => [
    count,
    { one: medians(one), several: medians(several), bestOfOne: Math.min(...one), bestOfSeveral: Math.min(...several) },
  ])
  return { target, passes: Object.fromEntries(passes) }
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
