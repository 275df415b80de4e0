// What a run has cost: each suite and preparation, and the slowest tests.
import { say } from '../running/steps.mjs'
import { inWords } from './counts.mjs'

const mostTests = 10

const seconds = ms => `${(ms / 1000).toFixed(1).padStart(7)} s`

/** `tasks` are {name, ms}, `results` those of the suites by name. */
export function tellCosts(tasks, results) {
  say('\nWhat it has cost:')
  for (const { name, ms } of tasks) if (ms >= 1000 || results[name]) say(`${seconds(ms)}  ${name}${results[name] ? `: ${inWords(results[name])}` : ''}`)
  const tests = Object.entries(results).flatMap(([suite, { tests }]) => tests.map(test => ({ suite, ...test })))
  const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, mostTests)
  if (slowest.length > 0) say('\nThe slowest tests:')
  for (const { suite, name, ms } of slowest) say(`${seconds(ms)}  ${suite}: ${name}`)
}
