// Locks among the tabs and workers of an origin: https://w3c.github.io/web-locks. A BroadcastChannel reports the progress. The lock of a
// tab that the browser has frozen is not stolen: the tab would go on writing once it wakes.
import { silentHolder } from './errors.js'
import type { HeldLock, Locks, LockProgress } from './folder.js'

const prefix = 'heed-store:'

function held(name: string, release: () => void): HeldLock {
  const channel = new BroadcastChannel(name)
  return {
    tell: progress => channel.postMessage(progress),
    release() {
      channel.close()
      release()
    },
  }
}

/** Resolves to undefined if the lock is taken and `ifAvailable` is set. Throws the reason of `signal`. */
const request = (name: string, options: LockOptions) =>
  new Promise<HeldLock | undefined>((resolve, reject) => {
    navigator.locks
      .request(name, options, lock => (lock ? new Promise<void>(release => resolve(held(name, release))) : resolve(undefined)))
      .catch(reject)
  })

/** The wait is split into pieces, so that time in which this tab was frozen, or the machine slept, counts as one piece at most. */
const pieces = 10

export const webLocks: Locks = {
  tryAcquire: key => request(prefix + key, { ifAvailable: true }),
  async acquire(key, patienceMs, onWait) {
    const free = await this.tryAcquire(key)
    if (free) return free
    const name = prefix + key
    const channel = new BroadcastChannel(name)
    const waiting = new AbortController()
    let silent = 0
    channel.onmessage = ({ data }: MessageEvent<LockProgress>) => {
      silent = 0
      onWait?.(data)
    }
    const timer = setInterval(() => {
      if (++silent > pieces) waiting.abort(silentHolder('tab', name, patienceMs))
    }, patienceMs / pieces)
    try {
      return (await request(name, { signal: waiting.signal }))!
    } finally {
      clearInterval(timer)
      channel.close()
    }
  },
}
