// Which suites have their turn in a run of limited time: those that have not ended for the longest, as the cache folder remembers. Where
// it remembers nothing, as in continuous integration, the time of the commit says with which suite the run begins: each commit with
// another one, and each run of a commit with the same.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'

const record = () => join(cacheFolder(), 'suites.json')

/** When each suite ended last, {suite: milliseconds}. A record that cannot be read is none. */
function lastEnds() {
  try {
    return existsSync(record()) ? JSON.parse(readFileSync(record(), 'utf8')) : {}
  } catch {
    return {}
  }
}

/** When the commit that is checked out was made, in seconds; outside of a checkout, today. */
async function commitTime() {
  const { stdout } = await execute('git', ['log', '-1', '--format=%ct'], { cwd: root, capture: true, check: false }).catch(
    () => ({}),
  )
  return Number(stdout) || Math.floor(Date.now() / 86_400_000)
}

/** The suites in the order in which it is their turn: `ends` is when they ended last, `time` what varies from commit to commit. */
export function turns(names, ends, time) {
  if (names.some(name => name in ends)) return [...names].sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0))
  const first = time % names.length
  return [...names.slice(first), ...names.slice(0, first)]
}

export const byTurn = async names => turns(names, lastEnds(), await commitTime())

/** Remembers that these suites have ended now. */
export function rememberEnds(names) {
  mkdirSync(cacheFolder(), { recursive: true })
  writeFileSync(record(), JSON.stringify({ ...lastEnds(), ...Object.fromEntries(names.map(name => [name, Date.now()])) }))
}
