// Locks between processes, held on open files: the system releases a lock when its last holder exits.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { say } from './steps.mjs'

/** The open lock files. Programs that are started meanwhile inherit them: one that outlives this process holds the locks until it exits. */
const held = new Set()
export const heldLocks = () => [...held]

/** The last call of this process for each path, after which the next one takes its turn. */
const last = new Map()

/** Holds an exclusive lock on the file `path` while `body` runs; waits while another process, or another call in this one, has it. */
export function withLock(path, body) {
  const turn = (last.get(path) ?? Promise.resolve()).then(() => locked(path, body))
  last.set(path, turn.catch(() => {}))
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
    held.add(lock)
    return await body()
  } finally {
    clearTimeout(waiting)
    held.delete(lock)
    closeSync(lock)
  }
}
