// heed/in-thread: an engine in the thread that uses it ends with its model, although no thread ends. Node has no location and fetches no
// files, so this test gives it both.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { defaultModelBytes, rejectsWith } from './support.mjs'

const chunkBytes = 64 * 1024
const bytes = defaultModelBytes()
const remote = 'http://localhost/model.gguf'

/** Called for each chunk of the model that is fetched, and at its end. */
let onChunk, onEnd
/** Called when a file of the package is fetched. */
let onFile = () => {}

globalThis.location = new URL('http://localhost/')
globalThis.fetch = async (address, { signal } = {}) => {
  const url = String(address)
  if (url !== remote) {
    onFile(url)
    return new Response(readFileSync(fileURLToPath(url)))
  }
  let at = 0
  const body = new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.length) {
          onEnd()
          return controller.close()
        }
        onChunk()
        controller.enqueue(new Uint8Array(bytes.subarray(at, (at += chunkBytes))))
      },
      cancel: () => onEnd(),
    },
    { highWaterMark: 0 },
  )
  signal?.addEventListener('abort', () => onEnd())
  return new Response(body, { headers: { 'Content-Length': bytes.length } })
}

/** Sees all messages of the engine: those to a model that is gone arrive nowhere. */
let onPosted = () => {}
const { postMessage } = MessagePort.prototype
MessagePort.prototype.postMessage = function (message, ...rest) {
  if (message?.type) onPosted(message)
  return postMessage.call(this, message, ...rest)
}

const { loadModel } = await import('heed/in-thread')

/** Resolves to the last message of the running call when `after` is aborted; rejects if the call continues. */
const endOfCall = after =>
  new Promise((resolve, reject) => {
    let later = 0
    onPosted = ({ type }) => {
      if (after.aborted && (type === 'failed' || type === 'done')) resolve(type)
      if (after.aborted && type === 'token' && ++later === 50) reject(new Error('it goes on'))
    }
  })

// The first, because later models find the module compiled.
test('a load that is aborted while its engine starts downloads nothing', async () => {
  const controller = new AbortController()
  const end = endOfCall(controller.signal)
  let chunks = 0
  onChunk = () => {
    chunks++
  }
  onEnd = () => {}
  onFile = () => controller.abort()
  await rejectsWith('aborted', /./, loadModel(remote, { signal: controller.signal }))
  assert.equal(await end, 'failed')
  assert.equal(chunks, 0)
  onFile = () => {}
})

test('a text that is generated ends when the model is disposed of, and so does one that is read', async () => {
  for (const begin of [
    model => model.generate('Once', { maxTokens: 1e6, contextShift: { keep: 4 }, stopAtEnd: false, seed: 1 }).result,
    model => model.score('Once', Array(1000).fill(' upon')),
  ]) {
    const model = await loadModel()
    const disposed = new AbortController()
    const end = endOfCall(disposed.signal)
    const gone = rejectsWith('disposed', /./, begin(model))
    await model.tokenize('Once') // the engine has received the call before
    disposed.abort()
    await model.dispose()
    await gone
    assert.equal(await end, 'failed')
  }
})

test('a load that is aborted stops downloading', async () => {
  const controller = new AbortController()
  const ended = new Promise(resolve => {
    onEnd = resolve
  })
  let chunks = 0
  onChunk = () => {
    if (++chunks === 3) controller.abort()
  }
  await rejectsWith('aborted', /./, loadModel(remote, { signal: controller.signal }))
  await ended
  assert.ok(chunks < 5, `${chunks} chunks`)
})

/** Runs a module in Node, and resolves to what it has printed once its process has ended by itself. */
async function printedBy(source) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [[code], printed] = await Promise.all([once(child, 'exit'), text(child.stdout)])
  assert.equal(code, 0)
  return printed
}

test('in Node, which fetches no files, the error says what to import, and a program that catches it ends', async () => {
  const printed = await printedBy(`
    import { loadModel } from 'heed/in-thread'
    await loadModel().catch(({ code, message }) => console.log(code, message))`)
  assert.equal(printed, 'unsupported heed/in-thread is for browsers: in Node, import heed\n')
})
