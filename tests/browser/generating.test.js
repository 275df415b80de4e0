// Generation in a page: kernels and threads, streams, aborts, overlapping calls, sessions, and workers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserName, hasThreads, useBrowser } from './support.mjs'

const { sites, threads, inPage, failsWith } = useBrowser()

const relaxed = /^relaxed-(sdot|usdot|sat)$/
/** The kernels that each browser is known to run. */
const targets = {
  chromium: relaxed,
  firefox: process.arch === 'x64' ? /^relaxed-sat$/ : relaxed,
  webkit: /^simd128$/,
}

test('uses the best kernels and the threads that the browser has', async () => {
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
  assert.deepEqual([threads.open, threads.isolated], [hasThreads(false) ? 2 : 1, hasThreads(true) ? 2 : 1])
})

if (browserName === 'webkit') {
  test('rejects the relaxed module, which this browser cannot run', () => {
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
      return { streamed, ...(await generation) }
    })
    assert.equal(result.streamed, result.text)
    assert.equal(result.tokens.length, 20)
  })

  test(`aborts reading and generating, and the model stays usable: ${name}`, async () => {
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
      for await (const _ of (left = model.generate('Once', { maxTokens: 400, stopAtEnd: false }))) break
      return {
        read: [read.finishReason, read.tokens.length],
        written: [written.finishReason, written.tokens.length === seen && seen < 400],
        left: (await left).finishReason,
        after: (await model.generate('Once', { maxTokens: 4, stopAtEnd: false })).tokens.length,
      }
    })
    assert.deepEqual(result, { read: ['abort', 0], written: ['abort', true], left: 'abort', after: 4 })
  })

  test(`generates texts together as each alone, and runs other calls meanwhile: ${name}`, async () => {
    const { alone, together, order } = await inPage(sites[name], async () => {
      const model = await heed.loadModel(undefined, { threads: 2 })
      const write = seed => model.generate('Once', { maxTokens: 20, seed, stopAtEnd: false }).then(({ text }) => text)
      const alone = []
      for (const seed of [1, 2, 3]) alone.push(await write(seed))
      const order = []
      const [, ...together] = await Promise.all([
        model.generate('Once', { maxTokens: 200, stopAtEnd: false }).then(() => order.push('long')),
        ...[1, 2, 3].map(write),
        model.tokenize('Once').then(() => order.push('read')),
        model.attention('Once').then(() => order.push('read')),
        model.logits([1]).then(() => order.push('read')),
      ])
      return { alone, together: together.slice(0, 3), order }
    })
    assert.deepEqual(together, alone)
    assert.deepEqual(order, ['read', 'read', 'read', 'long'])
  })

  test(`runs calls one after another with parallel: 1: ${name}`, async () => {
    const order = await inPage(sites[name], async () => {
      const model = await heed.loadModel(undefined, { parallel: 1 })
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

  test(`sessions continue, fork, and are restored from bytes: ${name}`, async () => {
    const result = await inPage(sites[name], async () => {
      const model = await heed.loadModel(undefined, { threads: 2 })
      const options = { maxTokens: 10, temperature: 0, stopAtEnd: false }
      const session = await model.session()
      const { text: first } = await session.generate('Once', options)
      const branch = await session.fork()
      const saved = await session.save()
      const { text: second } = await session.generate('', options)
      const again = await model.restore(saved)
      const whole = await model.generate('Once', { ...options, maxTokens: 20 })
      return {
        texts: [
          first + second,
          first + (await branch.generate('', options)).text,
          first + (await again.generate('', options)).text,
        ],
        whole: whole.text,
      }
    })
    assert.deepEqual(result.texts, Array(3).fill(result.whole))
  })

  test(`without workers, two models generate together, and one text is aborted: ${name}`, async () => {
    const result = await inPage(sites[name], async () => {
      const { loadModel } = await import('./dist/in-thread.js')
      const models = await Promise.all([loadModel(), loadModel()])
      const options = { maxTokens: 20, seed: 1, stopAtEnd: false }
      const { text } = await models[0].generate('Once', options)
      const controller = new AbortController()
      const [first, second, read, aborted] = await Promise.all([
        models[0].generate('Once', options),
        models[1].generate('Once', options),
        models[0].logits([1, 2]),
        models[0].generate('Once', { ...options, maxTokens: 400, signal: controller.signal }),
        models[1].session().then(async session => {
          for await (const _ of session.generate('Once', options)) controller.abort()
        }),
      ])
      return { same: [first.text === text, second.text === text], reads: read.length > 0, finishReason: aborted.finishReason }
    })
    assert.deepEqual(result, { same: [true, true], reads: true, finishReason: 'abort' })
  })

  test(`works inside a worker: ${name}`, async () => {
    const result = await inPage(
      sites[name],
      () =>
        new Promise((resolve, reject) => {
          const worker = new Worker('inner.js', { type: 'module' })
          worker.onerror = event => reject(new Error(event.message))
          worker.onmessage = ({ data }) => resolve(data)
          const options = { maxTokens: 5, seed: 1, stopAtEnd: false }
          worker.postMessage({ load: { threads: 2 }, prompt: 'Once', options })
        }),
    )
    assert.equal(result.threads, threads[name])
    assert.ok(result.text.length > 0)
  })
}
