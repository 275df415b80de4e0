// Chooses what runs if time is limited, so that everything has its turn: of the longer suites those that have not ended for the
// longest, according to the cache folder; if it has no record, as in continuous integration, the time of the commit determines the
// first suite, so that it varies between commits but not between runs of a commit. That time also determines which files of a suite
// run every day.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder, root } from '../paths.mjs'
import { execute } from '../running/execute.mjs'

const record = () => join(cacheFolder(), 'suites.json')

/** When each suite last ended, {suite: milliseconds}. An unreadable record counts as empty. */
function lastEnds() {
  try {
    return existsSync(record()) ? JSON.parse(readFileSync(record(), 'utf8')) : {}
  } catch {
    return {}
  }
}

/** When the current commit was made, in seconds; outside of a checkout, today. */
export async function commitTime() {
  const { stdout } = await execute('git', ['log', '-1', '--format=%ct'], { cwd: root, capture: true, check: false }).catch(
    () => ({}),
  )
  return Number(stdout) || Math.floor(Date.now() / 86_400_000)
}

/** The suites in the order of their turns: `ends` is when each last ended, `time` varies the order between commits. */
export function turns(names, ends, time) {
  if (names.some(name => name in ends)) return [...names].sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0))
  const first = time % names.length
  return [...names.slice(first), ...names.slice(0, first)]
}

/** The files of this turn, if each third one (or each `of`-th) runs at a time. */
export const filesOfTurn = (files, turn, of) => files.filter((_, index) => index % of === turn % of)

export const byTurn = async names => turns(names, lastEnds(), await commitTime())

/** Records that these suites have ended now. */
export function rememberEnds(names) {
  mkdirSync(cacheFolder(), { recursive: true })
  writeFileSync(record(), JSON.stringify({ ...lastEnds(), ...Object.fromEntries(names.map(name => [name, Date.now()])) }))
}
