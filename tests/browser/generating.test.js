// Generation in a page: what a page gives to it, streams, aborts, calls that overlap, and inside a worker.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName, useBrowser } from './support.mjs'

const { sites, threads, inPage, failsWith } = useBrowser()

const relaxed = /^relaxed-(sdot|usdot|sat)$/
/** The kernels that each browser is known to run. */
const targets = {
  chromium: relaxed,
  firefox: process.arch === 'x64' ? /^relaxed-sat$/ : relaxed,
  webkit: /^simd128$/,
}

test('takes the best kernels and the threads that the browser has', async () => {
  for (const name of ['isolated', 'open']) {
    const { info, isolated } = await inPage(sites[name], async () => {
      const { info } = await heed.loadModel(undefined, { threads: 2 })
      return { info, isolated: crossOriginIsolated }
    })
    assert.equal(isolated, name === 'isolated')
    assert.match(info.target, targets[browserName])
    assert.equal(info.simd, info.target.split('-')[0])
    assert.equal(info.threads, threads[name])
  }
  assert.equal(threads.open, 1)
  if (browserName !== 'webkit') assert.equal(threads.isolated, 2)
})

if (browserName === 'webkit') {
  test('refuses the relaxed module, which this browser does not run', () => {
    const load = () => describe(heed.loadModel(undefined, { simd: 'relaxed' }))
    return failsWith(sites.isolated, 'unsupported', /relaxed/, load)
  })
}

for (const name of ['isolated', 'open']) {
  test(`streams what it generates: ${name}`, async () => {
    const result = await inPage(sites[name], async () => {
      const model = await heed.loadModel(undefined, { threads: 2 })
      let streamed = ''
      const generation = model.generate('Once', { maxTokens: 20, seed: 1, stopAtEnd: false })
      for await (const token of generation) streamed += token.text
      return { streamed, ...await generation }
    })
    assert.equal(result.streamed, result.text)
    assert.equal(result.tokens.length, 20)
  })

  test(`aborts reading and writing, and the model stays usable: ${name}`, async () => {
    const result = await inPage(sites[name], async () => {
      const model = await heed.loadModel(undefined, { threads: 2 })
      const [id] = (await model.tokenize('Once')).slice(-1)
      const prompt = Array(model.info.contextLength - 1).fill(id)
      const reading = new AbortController()
      setTimeout(() => reading.abort(), 3)
      const read = await model.generate(prompt, { signal: reading.signal })
      const writing = new AbortController()
      const generation = model.generate('Once', { maxTokens: 400, stopAtEnd: false, signal: writing.signal })
      let seen = 0
      for await (const _ of generation) if (++seen === 5) writing.abort()
      const written = await generation
      let left
      for await (const _ of left = model.generate('Once', { maxTokens: 400, stopAtEnd: false })) break
      return {
        read: [read.finishReason, read.tokens.length],
        written: [written.finishReason, written.tokens.length === seen && seen < 400],
        left: (await left).finishReason,
        after: (await model.generate('Once', { maxTokens: 4, stopAtEnd: false })).tokens.length,
      }
    })
    assert.deepEqual(result, { read: ['abort', 0], written: ['abort', true], left: 'abort', after: 4 })
  })

  test(`runs calls that overlap in order: ${name}`, async () => {
    const order = await inPage(sites[name], async () => {
      const model = await heed.loadModel()
      const order = []
      await Promise.all([
        model.generate('Once', { maxTokens: 10, stopAtEnd: false }).then(() => order.push('generate')),
        model.tokenize('Once').then(() => order.push('tokenize')),
        model.attention('Once').then(() => order.push('attention')),
        model.logits([1]).then(() => order.push('logits')),
      ])
      return order
    })
    assert.deepEqual(order, ['generate', 'tokenize', 'attention', 'logits'])
  })

  test(`works inside a worker: ${name}`, async () => {
    const result = await inPage(sites[name], () => new Promise((resolve, reject) => {
      const worker = new Worker('inner.js', { type: 'module' })
      worker.onerror = event => reject(new Error(event.message))
      worker.onmessage = ({ data }) => resolve(data)
      const options = { maxTokens: 5, seed: 1, stopAtEnd: false }
      worker.postMessage({ load: { threads: 2 }, prompt: 'Once', options })
    }))
    assert.equal(result.threads, threads[name])
    assert.ok(result.text.length > 0)
  })
}
