// Prints the cost of a run: each suite and preparation, the slowest tests, and the slowest units that were compiled.
import { existsSync, readdirSync } from 'node:fs'
import { slowestUnits } from '../building/times.mjs'
import { inRoot } from '../paths.mjs'
import { say } from '../running/steps.mjs'
import { inWords } from './counts.mjs'

const most = 10
const began = Date.now()

const seconds = ms => `${(ms / 1000).toFixed(1).padStart(7)} s`

/** `tasks` are {name, ms}, `results` the suites' results by name. */
export function tellCosts(tasks, results) {
  say('\nWhat it has cost:')
  for (const { name, ms } of tasks)
    if (ms >= 1000 || results[name]) say(`${seconds(ms)}  ${name}${results[name] ? `: ${inWords(results[name])}` : ''}`)
  const tests = Object.entries(results).flatMap(([suite, { tests }]) => tests.map(test => ({ suite, ...test })))
  const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, most)
  if (slowest.length > 0) say('\nThe slowest tests:')
  for (const { suite, name, ms } of slowest) say(`${seconds(ms)}  ${suite}: ${name}`)
  const presets = existsSync(inRoot('build')) ? readdirSync(inRoot('build')) : []
  const units = presets.flatMap(preset => slowestUnits(preset, began).map(unit => ({ preset, ...unit })))
  if (units.length > 0) say('\nThe slowest units, compiled or linked:')
  for (const { preset, name, seconds: taken } of units.sort((a, b) => b.seconds - a.seconds).slice(0, most)) {
    say(`${seconds(1000 * taken)}  ${preset}: ${name}`)
  }
}
