// `npm test` runs the everyday suites, of the longest a part that varies between commits, `npm run test:all` the slower ones, and
// `npm test -- SUITE ...` selected suites of both kinds, whole. Sets up and builds what they need first; suites run side by side.
// The last line has the totals. `npm run test:all` takes 25 minutes, or HEED_TEST_MINUTES (`all`: no limit): suites that have not
// ended by then are left out, and come first in the next run.
import { allModuleNames } from './building/modules.mjs'
import { stopPrograms } from './running/execute.mjs'
import { runInLanes } from './running/lanes.mjs'
import { say, warn } from './running/steps.mjs'
import { tellCosts } from './testing/costs.mjs'
import { failure, inWords, sumOf, tellFailures } from './testing/counts.mjs'
import { everydaySuites, preparations, suites, thoroughSuites } from './testing/suites.mjs'
import { byTurn, commitTime, rememberEnds } from './testing/turns.mjs'
import { runFailuresAgain, tellUnsteady, tooMany } from './testing/unsteady.mjs'

/** The tasks with these names, each after those that it needs. */
function closure(all, names) {
  const needed = {}
  const add = name => {
    if (name in needed) return
    for (const need of all[name].needs ?? []) add(need)
    needed[name] = all[name]
  }
  for (const name of names) add(name)
  return needed
}

/** A suite as a task that prints its result when it ends; with `turn`, it may run only the part whose turn it is. */
const told = (suite, turn) => ({
  ...suite,
  async run(jobs, values, name) {
    const result = await suite.run(jobs, values, name, turn)
    if (result.passed + result.failed + result.skipped === 0) throw new Error('no tests found')
    say(`${name}: ${inWords(result)}`)
    for (const { name, file, output } of result.failures) warn(`\nFAILED: ${file ? `${file}: ` : ''}${name}\n${output}\n`)
    return result
  },
})

/** Runs suites, for at most this many minutes, or parts of them by turns; resolves to whether all passed. */
async function run(chosen, { minutes, turn }) {
  const modules = chosen.some(name => suites[name].whole) ? allModuleNames : ['relaxed', 'constraints']
  const tasks = closure(
    {
      ...preparations(modules),
      ...Object.fromEntries(Object.entries(suites).map(([name, suite]) => [name, told(suite, turn)])),
    },
    chosen,
  )
  const ended = await runInLanes(tasks, Number.isFinite(minutes) ? AbortSignal.timeout(60_000 * minutes) : undefined)
  stopPrograms()
  const leftOut = chosen.filter(name => !(name in ended))
  const results = {}
  for (const [name, { value, error }] of Object.entries(ended)) {
    if (error) warn(`\n${name}: ${error.message}`)
    if (chosen.includes(name)) results[name] = error ? failure(name, error.message) : value
  }
  const unsteady = await runFailuresAgain(suites, results)
  const partly = turn === undefined ? [] : chosen.filter(name => suites[name].parts)
  rememberEnds(Object.keys(results).filter(name => !partly.includes(name)))
  tellCosts(
    Object.keys(ended).map(name => ({ name, ms: ended[name].ms })),
    results,
  )
  tellUnsteady(unsteady)
  tellFailures(results)
  if (leftOut.length > 0) say(`\nLEFT OUT after ${minutes} minutes (HEED_TEST_MINUTES=all runs all): ${leftOut.join(', ')}`)
  if (partly.length > 0) say(`\nPARTLY RUN, by turns (npm test -- ${partly.join(' ')} runs all)`)
  const total = sumOf(Object.values(results))
  const suitesLeftOut = leftOut.length > 0 ? `, ${leftOut.length} of ${chosen.length} suites left out` : ''
  say(`\n${(performance.now() / 1000).toFixed(0)} s in all\n${inWords(total)}${suitesLeftOut}`)
  return total.failed === 0 && !tooMany(unsteady)
}

const given = process.argv.slice(2)
const unknown = given.filter(name => !(name in suites) && name !== '--all')
if (unknown.length > 0) {
  console.error(`unknown suite ${unknown.join(', ')}; known: ${Object.keys(suites).join(', ')}`)
  process.exit(2)
}
const { HEED_TEST_MINUTES: allowed = '25' } = process.env
if (allowed !== 'all' && !(Number(allowed) > 0)) {
  console.error(`HEED_TEST_MINUTES is ${allowed}: it is a number of minutes, or \`all\``)
  process.exit(2)
}
const isWhole = given.includes('--all')
const chosen = given.length === 0 ? everydaySuites : isWhole ? await byTurn(thoroughSuites) : given
const isWell = await run(chosen, {
  minutes: isWhole && allowed !== 'all' ? Number(allowed) : Infinity,
  turn: given.length === 0 ? await commitTime() : undefined,
})
process.exit(isWell ? 0 : 1) // suites that were left out may still be running
