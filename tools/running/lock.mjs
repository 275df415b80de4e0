// Locks between processes, as locks on open files: the system releases a lock when its last holder exits.
import { AsyncLocalStorage } from 'node:async_hooks'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { say } from './steps.mjs'

/**
 * The lock files that the current task holds open. Programs that it starts inherit them, so one that outlives this process holds
 * the locks until it exits. Concurrent tasks have lists of their own; otherwise a long build would hold the lock of a short
 * installation.
 */
const held = new AsyncLocalStorage()
export const heldLocks = () => locksOf(held.getStore()).map(({ file }) => file)

/** `before` is the lock inside which this one was taken. Work that a task has started may continue after its lock is released. */
const locksOf = lock => (lock === undefined ? [] : [...locksOf(lock.before), ...(lock.isHeld ? [lock] : [])])

/** The last call of this process for each path; the next one waits for it. */
const last = new Map()

/** Holds an exclusive lock on the file `path` while `body` runs; waits while another process, or another call in this one, has it. */
export function withLock(path, body) {
  const turn = (last.get(path) ?? Promise.resolve()).then(() => locked(path, body))
  last.set(
    path,
    turn.catch(() => {}),
  )
  return turn
}

async function locked(path, body) {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'w')
  const lock = { file, before: held.getStore(), isHeld: true }
  const waiting = setTimeout(() => say('- waiting for another set-up of the toolchain to end ...'), 1000)
  try {
    // flock(1) locks the open file that it inherits, so the lock remains when it exits.
    const locker = spawn('flock', ['3'], { stdio: ['ignore', 'inherit', 'inherit', file] })
    const [code] = await once(locker, 'close')
    if (code !== 0) throw new Error(`flock exited with ${code}`)
    clearTimeout(waiting)
    return await held.run(lock, body)
  } finally {
    clearTimeout(waiting)
    lock.isHeld = false
    closeSync(file)
  }
}
