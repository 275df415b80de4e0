// Starts workers in a browser: the page starts the engine's worker, which starts the workers of its threads.
import { started } from '../wire/worker-life.js'
import { runOrCopy } from './run-or-copy.js'

/** How long to wait for a worker in browsers that do not report its failure. */
const patienceMs = 10_000

/** Starts a worker; resolves once its script runs. Throws `network` or `unsupported`. */
export const startWorker = (address: string, name: string): Promise<Worker> => runOrCopy(address, script => attempt(script, name))

function attempt(address: string, name: string): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(address, { name })
    const settle = (error?: Error) => {
      clearTimeout(timer)
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onError)
      if (!error) return resolve(worker)
      worker.terminate()
      reject(error)
    }
    const onMessage = ({ data }: MessageEvent) => {
      if (data === started) settle()
    }
    const onError = (event: ErrorEvent | Event) => {
      event.preventDefault()
      settle(new Error('message' in event && event.message ? event.message : 'it could not be loaded'))
    }
    const giveUp = () => settle(new Error(`it did not start within ${patienceMs / 1000} s`))
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, 100)
    }, patienceMs) // after a long task in the page, the answer may be queued
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onError)
  })
}
