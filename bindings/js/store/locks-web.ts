// Locks among the tabs and workers of an origin: https://w3c.github.io/web-locks. A BroadcastChannel reports the progress.
import type { Held, Locks, Told } from './folder.js'

const prefix = 'heed-store:'

/** Resolves to a function that releases the lock; to undefined if it is taken and `ifAvailable` is set. */
function request(name: string, ifAvailable: boolean): Promise<(() => void) | undefined> {
  return new Promise((resolve, reject) => {
    navigator.locks.request(prefix + name, { ifAvailable }, lock => {
      if (!lock) return resolve(undefined)
      return new Promise<void>(release => resolve(release))
    }).catch(reject)
  })
}

function held(name: string, release: () => void): Held {
  const channel = new BroadcastChannel(prefix + name)
  return {
    tell: progress => channel.postMessage(progress),
    release() {
      channel.close()
      release()
    },
  }
}

export const webLocks: Locks = {
  async tryAcquire(name) {
    const release = await request(name, true)
    return release && held(name, release)
  },
  async acquire(name, _, onWait) {
    const free = await this.tryAcquire(name)
    if (free) return free
    const channel = new BroadcastChannel(prefix + name)
    channel.onmessage = ({ data }: MessageEvent<Told>) => onWait?.(data)
    try {
      return held(name, (await request(name, false))!)
    } finally {
      channel.close()
    }
  },
}
