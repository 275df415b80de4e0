// The package in a real browser, from a plain static folder under a strict Content-Security-Policy.
import assert from 'node:assert/strict'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { loadModel } from 'heed'
import { serveModel } from '../support/model_server.mjs'
import { defaultModelBytes, hash, needsShared, sharedFile } from '../package/support.mjs'
import { trappingGlue } from '../support/trapping_glue.mjs'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { serveSite, strictPolicy } from './site.mjs'

let browser
let models
const sites = {}

before(async () => {
  browser = await startChromium()
  models = await serveModel(defaultModelBytes())
  sites.isolated = await serveSite({ isolated: true })
  sites.open = await serveSite({ isolated: false })
})
after(async () => {
  await browser.close()
  for (const server of [models, ...Object.values(sites)]) await server.close()
})

/** Runs a function in a fresh page of a site, after the package is imported, and returns what it does. */
async function inPage(site, body, argument) {
  const page = await browser.open(site.url)
  try {
    await page.waitForFunction(() => globalThis.heed)
    return await page.evaluate(body, argument)
  } finally {
    await page.close()
  }
}

for (const [name, threads] of [['isolated', 2], ['open', 1]]) {
  test(`generates in a page: ${name}`, async () => {
    const result = await inPage(sites[name], async () => {
      const model = await heed.loadModel(undefined, { threads: 2 })
      let streamed = ''
      const generation = model.generate('Once', { maxTokens: 20, seed: 1, stopAtEnd: false })
      for await (const token of generation) streamed += token.text
      return { streamed, ...await generation, threads: model.info.threads, isolated: crossOriginIsolated }
    })
    assert.equal(result.isolated, name === 'isolated')
    assert.equal(result.threads, threads)
    assert.equal(result.streamed, result.text)
    assert.equal(result.tokens.length, 20)
  })
}

test('writes the same text and logits as in Node: every module, any threads', needsShared, async () => {
  const bytes = readFileSync(sharedFile('models/stories260K.gguf'))
  const story = readFileSync(sharedFile('models/stories260K.txt'), 'utf8')
  const node = await loadModel(bytes)
  const ids = await node.tokenize(story)
  const expected = await hash(await node.logits(ids, { positions: 'all' }))
  await node.dispose()
  const stories = await serveModel(bytes)
  try {
    for (const [name, threads] of [['isolated', 1], ['isolated', 2], ['open', 1]]) {
      for (const simd of ['simd128', 'relaxed']) {
        const result = await inPage(sites[name], async ({ url, options, ids }) => {
          const model = await heed.loadModel(url, options)
          const { text } = await model.generate('Once upon a time', { maxTokens: 196, temperature: 0 })
          const logits = await model.logits(ids, { positions: 'all' })
          const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', logits))
          const hash = [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')
          return { text, info: model.info, hash }
        }, { url: `${stories.url}/model`, options: { threads, simd }, ids })
        const where = `${name}, ${simd}, threads: ${threads}`
        assert.equal(result.info.threads, threads, where)
        assert.equal(result.info.simd, simd, where)
        assert.equal(`Once upon a time${result.text}`.slice(0, story.length), story, where)
        assert.equal(result.hash, expected, where)
      }
    }
  } finally {
    await stories.close()
  }
})

test('loads a relative URL, a File, bytes and a stream', async () => {
  const sizes = await inPage(sites.isolated, async () => {
    const url = 'dist/heed-stories.gguf'
    const blob = await (await fetch(url)).blob()
    const file = new File([blob], 'model.gguf')
    const sources = [url, new URL(url, location.href), file, await blob.arrayBuffer(), blob.stream()]
    const sizes = []
    for (const source of sources) {
      const model = await heed.loadModel(source)
      sizes.push((await model.generate('Once', { maxTokens: 3, stopAtEnd: false })).tokens.length)
      await model.dispose()
    }
    return sizes
  })
  assert.deepEqual(sizes, [3, 3, 3, 3, 3])
})

test('loads a file that the page keeps, by its handle, as often as asked', async () => {
  const result = await inPage(sites.isolated, async () => {
    const folder = await navigator.storage.getDirectory()
    const handle = await folder.getFileHandle('model.gguf', { create: true })
    const { body } = await fetch('dist/heed-stories.gguf')
    await body.pipeTo(await handle.createWritable())
    const models = await Promise.all([heed.loadModel(handle), heed.loadModel(handle)])
    const sizes = models.map(model => model.info.fileBytes)
    for (const model of models) await model.dispose()
    await folder.removeEntry('model.gguf')
    const { code } = await heed.loadModel(handle).catch(error => error)
    return { sizes, code }
  })
  assert.deepEqual(result, { sizes: Array(2).fill(defaultModelBytes().length), code: 'io' })
})

test('works inside a worker', async () => {
  for (const [name, threads] of [['isolated', 2], ['open', 1]]) {
    const result = await inPage(sites[name], () => new Promise((resolve, reject) => {
      const worker = new Worker('inner.js', { type: 'module' })
      worker.onerror = event => reject(new Error(event.message))
      worker.onmessage = ({ data }) => resolve(data)
      const options = { maxTokens: 5, seed: 1, stopAtEnd: false }
      worker.postMessage({ load: { threads: 2 }, prompt: 'Once', options })
    }))
    assert.equal(result.threads, threads)
    assert.ok(result.text.length > 0)
  }
})

test('aborts a download, and the server notices', async () => {
  const before = models.sent()
  const result = await inPage(sites.isolated, async url => {
    const controller = new AbortController()
    const loading = heed.loadModel(url, { signal: controller.signal, onProgress: () => controller.abort() })
    const error = await loading.catch(error => error)
    await heed.loadModel()
    return { name: error.name, code: error.code, heed: error instanceof heed.HeedError }
  }, `${models.url}/slow`)
  assert.deepEqual(result, { name: 'AbortError', code: 'aborted', heed: true })
  const sent = models.sent()
  await new Promise(resolve => setTimeout(resolve, 200))
  assert.equal(models.sent(), sent, 'the download goes on')
  assert.ok(sent - before < defaultModelBytes().length)
})

for (const name of ['isolated', 'open']) {
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
}

/** Checks how a call in a page fails; in the page, `describe` waits for the failure. */
async function failsWith(site, code, message, body) {
  const error = await inPage(site, body, models.url)
  assert.deepEqual([error.heed, error.code], [true, code], error.message)
  assert.match(error.message, message)
}

test('tells errors apart by their code', async () => {
  const cases = [
    ['invalid-argument', /"thread"/, () => describe(heed.loadModel(undefined, { thread: 2 }))],
    ['invalid-argument', /"temprature"/, () =>
      describe(heed.loadModel().then(model => model.generate('Once', { temprature: 1 })))],
    ['invalid-argument', /not a URL/, () => describe(heed.loadModel('http://'))],
    ['network', /404/, url => describe(heed.loadModel(`${url}/missing`))],
    ['network', /broken/, url => describe(heed.loadModel(`${url}/broken`))],
    ['network', /localhost:1\//, () => describe(heed.loadModel('http://localhost:1/model'))],
    ['invalid-file', /./, () => describe(heed.loadModel('index.html'))],
    ['invalid-file', /./, async () => {
      const blob = await (await fetch('dist/heed-stories.gguf')).blob()
      return describe(heed.loadModel(blob.slice(0, 500_000)))
    }],
    ['out-of-memory', /\d.*\d/, url => describe(heed.loadModel(`${url}/slow`, { memoryLimit: 100_000 }))],
    ['context-overflow', /\d.*\d/, async () => {
      const model = await heed.loadModel(undefined, { contextLength: 8 })
      return describe(model.generate('Once upon a time there was a fox'))
    }],
    ['disposed', /./, async () => {
      const model = await heed.loadModel()
      await model.dispose()
      return describe(model.tokenize('Once'))
    }],
  ]
  for (const [code, message, body] of cases) {
    await failsWith(sites.isolated, code, message, body)
  }
})

test('dispose ends the worker and its threads', async () => {
  const page = await browser.open(sites.isolated.url)
  await page.waitForFunction(() => globalThis.heed)
  await page.evaluate(async () => { globalThis.model = await heed.loadModel(undefined, { threads: 2 }) })
  assert.ok(page.workers().length > 0)
  await page.evaluate(() => model.dispose())
  while (page.workers().length > 0) await new Promise(resolve => setTimeout(resolve, 10))
  await page.close()
})

test('a trap fails everything outstanding, and the next model works', async () => {
  const site = await serveSite({
    change(dist) {
      renameSync(join(dist, 'heed-simd128.js'), join(dist, 'heed-simd128.real.js'))
      writeFileSync(join(dist, 'heed-simd128.js'), trappingGlue('./heed-simd128.real.js'))
    },
  })
  try {
    const result = await inPage(site, async () => {
      const options = { simd: 'simd128', threads: 2 }
      const code = promise => promise.then(() => 'fine', error => error.code)
      const model = await heed.loadModel(undefined, options)
      const codes = await Promise.all([
        code(model.generate('Once', { maxTokens: 13 })),
        code(model.tokenize('Once')),
        code(model.generate('Once')),
      ])
      codes.push(await code(model.tokenize('Once')))
      const next = await heed.loadModel(undefined, options)
      const { tokens } = await next.generate('Once', { maxTokens: 3, stopAtEnd: false })
      return { codes, tokens: tokens.length }
    })
    assert.deepEqual(result, { codes: Array(4).fill('crashed'), tokens: 3 })
  } finally {
    await site.close()
  }
})

const remove = name => dist => ['simd128', 'relaxed'].forEach(simd => rmSync(join(dist, name(simd))))
const brokenSites = {
  'a page that forbids WebAssembly': ['unsupported', /Content Security Policy/i, {
    policy: strictPolicy.replace(" 'wasm-unsafe-eval'", ''),
  }],
  'a missing wasm file': ['network', /wasm.*404/, { change: remove(simd => `heed-${simd}.wasm`) }],
  'a missing worker': ['network', /worker/, { change: remove(simd => `worker.${simd}.js`) }],
}

for (const [name, [code, message, options]] of Object.entries(brokenSites)) {
  test(`says what is wrong: ${name}`, async () => {
    const site = await serveSite(options)
    try {
      await failsWith(site, code, message, () => describe(heed.loadModel()))
    } finally {
      await site.close()
    }
  })
}

test('survives damaged models', async () => {
  const outcomes = await inPage(sites.isolated, async () => {
    const bytes = new Uint8Array(await (await fetch('dist/heed-stories.gguf')).arrayBuffer())
    const outcomes = []
    for (let copy = 0; copy < 20; copy++) {
      const damaged = copy % 2 ? bytes.slice(0, copy * 50_000) : bytes.slice()
      if (copy % 2 === 0) damaged[copy * copy * 7] ^= 0x41
      try {
        const model = await heed.loadModel(damaged)
        await model.generate('Once', { maxTokens: 3 })
        await model.dispose()
        outcomes.push('works')
      } catch (error) {
        outcomes.push(error instanceof heed.HeedError ? error.code : String(error))
      }
    }
    return outcomes
  })
  assert.equal(outcomes.length, 20)
  for (const outcome of outcomes) assert.match(outcome, /^(works|invalid-file|unsupported|out-of-memory)$/)
})
