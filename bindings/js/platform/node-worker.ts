// Starts and ends worker threads in Node, Deno and Bun. A worker has started when its script says so.
import { Worker } from 'node:worker_threads'
import { HeedError } from '../wire/errors.js'
import { ended, ending, started } from '../wire/worker-life.js'
import { soon } from './soon.js'

/**
 * How long to wait for a worker to respond. A worker whose script is missing or fails reports that at once; on a busy machine, a
 * worker starts late.
 */
const patienceMs = 10_000
const startPatienceMs = 60_000

/** Resolves once the script runs. Throws `unsupported`. */
export function startNodeWorker(script: URL, workerData: object = {}): Promise<Worker> {
  return new Promise((resolve, reject) => {
    // Passes no flags of this process: the worker needs none, and would refuse some (--input-type).
    const worker = new Worker(script, { workerData, execArgv: [] })
    const settle = (cause?: Error) => {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', settle).off('exit', onExit)
      if (!cause) return resolve(worker)
      void worker.terminate()
      reject(
        new HeedError(
          'unsupported',
          `The worker ${script} did not start: ${cause.message}. If a bundler includes the ` +
            'package, exclude it from the bundle (Next.js: serverExternalPackages), or set the option `assets` to the folder of ' +
            'its files.',
          { cause },
        ),
      )
    }
    const onMessage = (message: unknown) => {
      if (message === started) settle()
    }
    const onExit = () => settle(new Error('it exited'))
    const timer = setTimeout(() => settle(new Error(`it did not respond within ${startPatienceMs / 1000} s`)), startPatienceMs)
    worker.on('message', onMessage).on('error', settle).on('exit', onExit)
  })
}

/**
 * Asks an engine's worker to end its threads before it is terminated: terminating a worker while one of its own workers ends may
 * abort the process (https://github.com/nodejs/node/issues/56020). Resolves when they have ended, or if the worker does not
 * respond.
 */
export async function endThreadsOf(worker: Worker): Promise<void> {
  worker.ref()
  worker.postMessage(ending)
  await soon(
    new Promise<void>(resolve => {
      worker.on('message', message => {
        if (message === ended) resolve()
      })
      worker.on('exit', () => resolve())
    }),
    patienceMs,
  )
}
