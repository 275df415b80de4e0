// A lock between processes, held on an open file: the system releases it when its last holder exits.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { say } from './steps.mjs'

/** The open lock file. Programs that are started meanwhile inherit it: one that outlives this process holds the lock until it exits. */
let held
export const heldLock = () => held

let last = Promise.resolve()

/** Holds an exclusive lock on the file `path` while `body` runs; waits while another process, or another call in this one, has it. */
export function withLock(path, body) {
  const turn = last.then(() => locked(path, body))
  last = turn.catch(() => {})
  return turn
}

async function locked(path, body) {
  mkdirSync(dirname(path), { recursive: true })
  const lock = openSync(path, 'w')
  const waiting = setTimeout(() => say('- waiting for another set-up of the toolchain to end ...'), 1000)
  try {
    // flock(1) locks the open file that it inherits, so the lock remains when it exits.
    const locker = spawn('flock', ['3'], { stdio: ['ignore', 'inherit', 'inherit', lock] })
    const [code] = await once(locker, 'close')
    if (code !== 0) throw new Error(`flock exited with ${code}`)
    clearTimeout(waiting)
    held = lock
    return await body()
  } finally {
    clearTimeout(waiting)
    held = undefined
    closeSync(lock)
  }
}
