// Arguments that are not what they seem, or that cannot be copied to a worker, fail only their own call.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { HeedError, loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { contractOptions } from '../support/contract_options.mjs'
import { goldenFile, goldenPicture } from '../support/golden.mjs'
import { defaultModelBytes, rejectsWith, withModel } from './support.mjs'

let model, session, bert, vit
before(async () => {
  model = await loadModel(undefined, { threads: 2 })
  session = await model.session()
  bert = await loadModel(goldenFile('bert'), { threads: 1 })
  vit = await loadModel(goldenFile('vit'), { threads: 1 })
})
after(() => Promise.all([model.dispose(), bert.dispose(), vit.dispose()]))

const reactive = value => new Proxy(value, {}) // like the objects of reactive frameworks

test('accepts lists and objects behind proxies', async () => {
  const options = { maxTokens: 4, seed: 1, stopAtEnd: false, stop: [' day'], logitBias: { 5: -1 }, attention: { layers: [0] } }
  const { text } = await model.generate('Once', options)
  const proxied = Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, typeof value === 'object' ? reactive(value) : value]),
  )
  assert.equal((await model.generate(reactive(await model.tokenize('Once')), reactive(proxied))).text, text)
  assert.equal((await model.logits(reactive([1, 2]), { positions: reactive([0]) })).length, model.info.vocabulary)
  assert.equal((await bert.embed(reactive(['a', 'b']))).length, 2)
})

test('accepts pixels in shared memory, and behind a proxy', async () => {
  const { width, height, data } = goldenPicture()
  const shared = new Uint8Array(new SharedArrayBuffer(data.length))
  shared.set(data)
  const expected = await vit.embedImages([{ width, height, data }])
  assert.deepEqual(await vit.embedImages([{ width, height, data: shared }]), expected)
  assert.deepEqual(await vit.embedImages(reactive([reactive({ width, height, data })])), expected)
})

test('what cannot be copied fails only its own call', async () => {
  await withModel(reactive(new Blob([defaultModelBytes()])), {}, read => read.tokenize('Once')) // it is read here
  const calls = [model.tokenize('Once'), model.logits([1]), model.tokenize('upon')]
  const hostile = { width: 1, height: 1, data: reactive(new Uint8Array(4)) }
  await rejectsWith('invalid-argument', /./, vit.classify(hostile))
  for (const call of calls) await call
  assert.equal((await vit.classify(goldenPicture())).length > 0, true)
})

test('an abort is never lost, however short the call', async () => {
  const calls = [
    signal => model.logits([1], { signal }),
    signal => model.attention('Once', { signal }),
    signal => session.append('a', { signal }),
    signal => bert.embed(['a'], { signal }),
    signal => vit.embedImages([goldenPicture()], { signal }),
    signal => vit.classify(goldenPicture(), { signal }),
  ]
  for (const call of calls) {
    for (let round = 0; round < 10; round++) {
      const controller = new AbortController()
      let settled = false
      const running = call(controller.signal).finally(() => {
        settled = true
      })
      if (round % 2) await new Promise(resolve => setImmediate(resolve))
      const tooLate = settled
      controller.abort()
      if (tooLate) await running
      else await rejectsWith('aborted', /./, running)
    }
    await call(undefined)
  }
})

test('loads from a stream that stays open', { timeout: 30_000 }, async () => {
  let canceled = false
  const stream = new ReadableStream({
    start: controller => controller.enqueue(new Uint8Array(defaultModelBytes())),
    cancel() {
      canceled = true
    },
  })
  await withModel(stream, {}, model => model.tokenize('Once'))
  assert.equal(canceled, true)
})

test('loads from a server that keeps sending', { timeout: 30_000 }, async () => {
  const server = createServer((_, response) => {
    response.write(defaultModelBytes())
    const sending = setInterval(() => response.write('more'), 10)
    response.on('close', () => clearInterval(sending))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await withModel(`http://127.0.0.1:${server.address().port}/model`, {}, model => model.tokenize('Once'))
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('reads streams of any kind of view', async () => {
  const bytes = new Uint8Array(defaultModelBytes())
  const views = {
    DataView: (from, to) => new DataView(bytes.buffer, from, to - from),
    Uint16Array: (from, to) => new Uint16Array(bytes.buffer, from, (to - from) / 2),
  }
  const expected = await withModel(bytes, {}, model => model.logits([1, 2]))
  for (const view of Object.values(views)) {
    const half = ((bytes.length / 4) >> 1) << 1
    const stream = ReadableStream.from([view(0, half), view(half, bytes.length)])
    assert.deepEqual(await withModel(stream, {}, model => model.logits([1, 2])), expected)
  }
})

test('an index beyond 32 bits does not wrap around', async () => {
  for (const index of [2 ** 32, 2 ** 31]) {
    await rejectsWith('invalid-argument', /layers/, model.attention('Once', { layers: [index] }))
    await rejectsWith('invalid-argument', /heads/, model.attention('Once', { heads: [index] }))
    await rejectsWith('invalid-argument', /layers/, async () => model.generate('Once', { attention: { layers: [index] } }))
    await rejectsWith('invalid-argument', /positions/, model.logits([1], { positions: [index] }))
  }
})

const throwing = () => {
  throw new RangeError('hostile')
}
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  return proxy
}
const detached = () => {
  const array = new Uint8Array(8)
  structuredClone(array.buffer, { transfer: [array.buffer] })
  return array
}
const hostiles = {
  'an object without a prototype': () => Object.create(null),
  'a list of one': () => [Object.create(null)],
  'an object whose toString throws': () => ({ toString: throwing, valueOf: throwing }),
  'a getter that throws': () => ({
    get width() {
      return throwing()
    },
    get 0() {
      return throwing()
    },
  }),
  'a list whose items throw': () => Object.defineProperty([1], 0, { get: throwing }),
  'a revoked proxy': revoked,
  'a proxy that throws': () => new Proxy([], { get: throwing, ownKeys: throwing }),
  'a DataView': () => new DataView(new ArrayBuffer(8)),
  'a detached array': detached,
  'big integers': () => new BigInt64Array(2),
  'a big integer': () => 5n,
  'a symbol': () => Symbol('hostile'),
  'a function': () => throwing,
  'a list with holes': () => new Array(3),
  'an endless length': () => ({ length: 2 ** 40 }),
  'a map that throws': () => Object.assign(new Map(), { [Symbol.iterator]: throwing }),
}

/** The options of every call. */
const names = Object.fromEntries(Object.entries(await contractOptions()).map(([call, options]) => [call, Object.keys(options)]))

/** Every call, with a hostile value in each argument and option. */
const placed = value => [
  () => loadModel(value),
  ...names.loadModel.map(name => () => loadModel(undefined, { [name]: value })),
  () => model.generate(value),
  () => model.generate([value]),
  () => model.generate('Once', value),
  ...names.generate.map(
    name => () => model.generate('Once', { [name]: value, maxTokens: 1, ...(name === 'maxTokens' && { maxTokens: value }) }),
  ),
  () => model.generate('Once', { contextShift: { keep: value }, maxTokens: 1 }),
  () => session.generate(value, { maxTokens: 1 }),
  () => session.append(value),
  () => session.append([value]),
  ...names.append.map(name => () => session.append('Once', { [name]: value })),
  () => session.truncate(value),
  () => model.restore(value),
  () => model.tokenize(value),
  () => model.detokenize(value),
  ...names.detokenize.map(name => () => model.detokenize([1], { [name]: value })),
  () => model.logits(value),
  ...names.logits.map(name => () => model.logits([1], { [name]: value })),
  () => model.attention(value),
  ...names.attention.map(name => () => model.attention('Once', { [name]: value })),
  () => bert.embed(value),
  () => bert.embed([value]),
  ...names.embed.map(name => () => bert.embed(['a'], { [name]: value })),
  () => bert.rerank(value, ['a']),
  () => bert.rerank('a', value),
  () => bert.rerank('a', [value]),
  () => vit.embedImages(value),
  () => vit.embedImages([value]),
  () => vit.classify(value),
  ...['width', 'height', 'data'].map(name => () => vit.classify({ ...goldenPicture(), [name]: value })),
  ...names.classify.map(name => () => vit.classify(goldenPicture(), { [name]: value })),
]

for (const [name, make] of Object.entries(hostiles)) {
  test(`${name} is a HeedError, or works, wherever it is passed`, async () => {
    for (const call of placed(make())) {
      try {
        const result = await call()
        await result?.dispose?.()
      } catch (error) {
        assert.ok(error instanceof HeedError, `${call}: ${error?.stack}`)
        assert.match(error.code, /^(invalid-argument|unsupported|io|invalid-file)$/, `${call}: ${error.code}: ${error.message}`)
      }
    }
    assert.deepEqual(await model.tokenize('Once'), await model.tokenize('Once'))
  })
}

test('rejects a file URL that is not of a local file', async () => {
  for (const address of ['file://server/model.gguf', 'file:///a%2Fb.gguf', new URL('file://server/model.gguf')]) {
    await rejectsWith('invalid-argument', /source/, async () => loadModel(address))
  }
})

test('rejects a source in an array that names all parts by itself, and says so', async () => {
  for (const source of ['hf:heed/stories:Q8_0', 'store:stories.gguf']) {
    await rejectsWith('invalid-argument', /source: "(hf|store):.* give it alone/, async () => loadModel([source]))
  }
})

test('schemes of addresses are of any case', async () => {
  const file = pathToFileURL(inRoot('dist/heed-stories.gguf')).href
  for (const address of [file, file.replace('file:', 'FILE:')]) {
    await withModel(address, {}, async other => assert.deepEqual(await other.tokenize('Once'), await model.tokenize('Once')))
  }
  await rejectsWith('network', /http/i, async () => loadModel('HTTP://localhost:1/model.gguf'))
})
