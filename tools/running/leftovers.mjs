// Keeps the cache folder small: removes leftovers of killed processes, and folders that have not been used for long.
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Removes folders whose names end in the id of a process that no longer exists. */
export function sweep(folder) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const id = /\.(\d+)$/.exec(name)?.[1]
    if (id && !isAlive(Number(id))) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(id) {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Removes all but the `most` most recently used entries of a folder; using an entry sets its time. */
export function keepNewest(folder, most) {
  const whole = readdirSync(folder)
    .filter(name => !/\.\d+$/.test(name))
    .map(name => join(folder, name))
  const byAge = whole.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const path of byAge.slice(most)) rmSync(path, { recursive: true, force: true })
}
