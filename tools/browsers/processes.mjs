// The processes of a browser, found by ps: on Linux and macOS.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The processes of the browser with this profile: {id, isRenderer}. */
export function processesOf(profile) {
  const all = execFileSync('ps', ['-ww', '-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\n')
    .map(line => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter(Boolean)
    .map(([, id, parent, args]) => ({ id: Number(id), parent: Number(parent), args }))
  const found = all.filter(({ args }) => args.includes(`--user-data-dir=${profile}`) && !args.includes('--type='))
  for (const one of found) found.push(...all.filter(({ id, parent }) => parent === one.id && !found.some(other => other.id === id)))
  return found.map(({ id, args }) => ({ id, isRenderer: args.includes('--type=renderer') }))
}

/** The memory of all processes of a browser, in bytes, without mapped files; what several processes share counts once. On Linux. */
export const proportionalMemory = profile => processesOf(profile).reduce((sum, { id }) => sum + proportionalOf(id), 0)

function proportionalOf(id) {
  try {
    const sizes = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8').matchAll(/^Pss_(?:Anon|Shmem):\s+(\d+) kB/gm)
    return [...sizes].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0)
  } catch {
    return 0 // it has ended meanwhile
  }
}
