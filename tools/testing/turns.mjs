// Which suites have their turn in a run of limited time: those that have not ended for the longest, as the cache folder remembers; where it
// remembers nothing, in the order given.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from '../paths.mjs'

const record = () => join(cacheFolder(), 'suites.json')

/** When each suite ended last, {suite: milliseconds}. A record that cannot be read is none. */
function lastEnds() {
  try {
    return existsSync(record()) ? JSON.parse(readFileSync(record(), 'utf8')) : {}
  } catch {
    return {}
  }
}

/** The suites, in the order in which it is their turn. */
export function byTurn(names) {
  const ends = lastEnds()
  return [...names].sort((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0))
}

/** Remembers that these suites have ended now. */
export function rememberEnds(names) {
  mkdirSync(cacheFolder(), { recursive: true })
  writeFileSync(record(), JSON.stringify({ ...lastEnds(), ...Object.fromEntries(names.map(name => [name, Date.now()])) }))
}
