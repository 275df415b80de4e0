// Ends workers in a browser. `terminate` returns before the worker has ended, and until then its memory, which may be gigabytes,
// cannot be used by another worker. Browsers do not report the end, but they release a worker's locks then:
// https://w3c.github.io/web-locks
import { soon } from './soon.js'

/** How long to wait for a worker that is computing to respond, and then for its end. */
const patienceMs = 300
const ending = new Set<Promise<void>>()

/** Resolves once the workers that are being ended have ended. */
export async function allEnded(): Promise<void> {
  await Promise.all(ending)
}

/** Ends a worker. Resolves once it has ended, or shortly after the call if it was computing or the page may not use locks. */
export function endWorker(worker: Worker): Promise<void> {
  const end = runEnd(worker).finally(() => ending.delete(end))
  ending.add(end)
  return end
}

async function runEnd(worker: Worker): Promise<void> {
  const locks = globalThis.navigator?.locks as LockManager | undefined
  if (!locks) return worker.terminate()
  const name = `heed-worker:${Math.random()}`
  const { port1: here, port2: there } = new MessageChannel()
  try {
    worker.postMessage(name, [there])
    await soon(
      new Promise(resolve => {
        here.onmessage = resolve
      }),
      patienceMs,
    )
    worker.terminate()
    await soon(
      locks.request(name, () => {}),
      patienceMs,
    )
  } finally {
    here.close()
  }
}

/** Called in a worker: takes a lock that the worker holds until its end, and reports that on `port`. */
export function holdUntilEnd(name: string, port: MessagePort): void {
  const hold = () => {
    port.postMessage(null)
    return new Promise<void>(() => {})
  }
  navigator.locks.request(name, hold).catch(() => port.postMessage(null))
}
