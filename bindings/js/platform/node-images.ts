// Decodes image files in Node, Deno and Bun: in a worker, because a large file takes seconds, and one at a time, because decoding
// takes much memory. The worker ends after the last waiting file, or if the call of its current file is aborted.
import type { Worker } from 'node:worker_threads'
import type { Pixels } from '../types/index.js'
import { HeedError } from '../wire/errors.js'
import { Line } from '../wire/line.js'
import { startNodeWorker } from './node-worker.js'
import type { WhenAborted } from './platform.js'

const line = new Line()
let waiting = 0
let kept: Worker | undefined

/** The pixels of a file, whose buffer is transferred. Throws `aborted`, `out-of-memory`, `unsupported` and `invalid-argument`. */
export async function decodeInWorker(script: URL, file: Uint8Array<ArrayBuffer>, whenAborted: WhenAborted): Promise<Pixels> {
  waiting++
  try {
    return await line.run(
      () => decode(script, file, whenAborted),
      leave => whenAborted(() => leave(HeedError.aborted())),
    )
  } finally {
    waiting--
    if (waiting === 0) end()
  }
}

function end(): void {
  void kept?.terminate()
  kept = undefined
}

async function decode(script: URL, file: Uint8Array<ArrayBuffer>, whenAborted: WhenAborted): Promise<Pixels> {
  const worker = (kept ??= await startNodeWorker(script))
  return new Promise<Pixels>((resolve, reject) => {
    const settle = (result: () => void) => {
      worker.off('message', answer).off('error', fail).off('exit', exit)
      settled()
      result()
    }
    const answer = (message: Pixels | Pick<HeedError, 'code' | 'message'>) =>
      settle(() => ('code' in message ? reject(new HeedError(message.code, message.message)) : resolve(message)))
    const fail = (cause: Error) =>
      settle(() => {
        end()
        reject(new HeedError('out-of-memory', `its worker has ended: ${cause.message}`, { cause }))
      })
    const exit = () => fail(new Error('it exited'))
    worker.on('message', answer).on('error', fail).on('exit', exit)
    let settled = () => {}
    settled = whenAborted(() =>
      settle(() => {
        end()
        reject(HeedError.aborted())
      }),
    )
    if (kept === worker) worker.postMessage(file, [file.buffer])
  })
}
