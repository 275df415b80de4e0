// The script of the worker that decodes image files, in Node, Deno and Bun.
import { parentPort } from 'node:worker_threads'
import { decodeImageFile } from './images/script.js'
import { HeedError } from './wire/errors.js'
import { started } from './wire/worker-life.js'

const answerTo = async (file: Uint8Array) => {
  try {
    return await decodeImageFile(file)
  } catch (error) {
    const { code, message } = error instanceof RangeError ? new HeedError('out-of-memory', error.message) : HeedError.from(error)
    return { code, message }
  }
}

parentPort!.on('message', async (file: Uint8Array) => {
  const answer = await answerTo(file)
  parentPort!.postMessage(answer, 'data' in answer ? [answer.data.buffer as ArrayBuffer] : [])
})
parentPort!.postMessage(started)
