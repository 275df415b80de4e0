// Where a page's model comes from, and how loading can fail.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { defaultModelBytes } from '../package/support.mjs'
import { serveModel } from '../support/model_server.mjs'
import { serveSite, strictPolicy } from './site.mjs'
import { browserName, modules, useBrowser } from './support.mjs'

const { sites, inPage, failsWith } = useBrowser()
let models

before(async () => {
  models = await serveModel(defaultModelBytes())
})
after(() => models.close())

test('loads a relative URL, a URL, a File, bytes and a stream', async () => {
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

const needsFiles = { skip: browserName === 'webkit' && 'WebKitGTK keeps no files for pages' }

test("loads a file in the page's storage by its handle, repeatedly", needsFiles, async () => {
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

test('aborts a download, and the server notices', async () => {
  const result = await inPage(
    sites.isolated,
    async url => {
      const controller = new AbortController()
      // a first notice may come before the request
      const onProgress = ({ loaded }) => loaded > 0 && controller.abort()
      const loading = heed.loadModel(url, { signal: controller.signal, onProgress })
      const error = await loading.catch(error => error)
      await heed.loadModel()
      return { name: error.name, code: error.code, heed: error instanceof heed.HeedError }
    },
    `${models.url}/held`,
  )
  assert.deepEqual(result, { name: 'AbortError', code: 'aborted', heed: true })
  await models.left()
})

const failures = [
  ['invalid-argument', /"thread"/, () => describe(heed.loadModel(undefined, { thread: 2 }))],
  ['invalid-argument', /"temprature"/, () => describe(heed.loadModel().then(model => model.generate('Once', { temprature: 1 })))],
  ['invalid-argument', /not a URL/, () => describe(heed.loadModel('http://'))],
  ['network', /404/, url => describe(heed.loadModel(`${url}/missing`))],
  ['network', /broken/, url => describe(heed.loadModel(`${url}/broken`))],
  ['network', /localhost:1\//, () => describe(heed.loadModel('http://localhost:1/model'))],
  ['invalid-file', /./, () => describe(heed.loadModel('index.html'))],
  [
    'invalid-file',
    /./,
    async () => {
      const blob = await (await fetch('dist/heed-stories.gguf')).blob()
      return describe(heed.loadModel(blob.slice(0, 500_000)))
    },
  ],
  ['out-of-memory', /\d.*\d/, url => describe(heed.loadModel(`${url}/slow`, { memoryLimit: 100_000 }))],
  [
    'context-overflow',
    /\d.*\d/,
    async () => {
      const model = await heed.loadModel(undefined, { contextLength: 8 })
      return describe(model.generate('Once upon a time there was a fox'))
    },
  ],
  [
    'disposed',
    /./,
    async () => {
      const model = await heed.loadModel()
      await model.dispose()
      return describe(model.tokenize('Once'))
    },
  ],
]

test('errors have distinct codes', async () => {
  for (const [code, message, body] of failures) {
    await failsWith(sites.isolated, code, message, body, models.url)
  }
})

const remove =
  (...names) =>
  dist =>
    names.forEach(name => rmSync(join(dist, name)))
/** Relaxed SIMD cannot be detected in such a page. */
const needsSimd128 = { skip: !modules.includes('simd128') && 'the module without relaxed SIMD is not built' }
const brokenSites = {
  'a page that forbids WebAssembly': [
    'unsupported',
    /Content Security Policy|CSP/i,
    {
      policy: strictPolicy.replace(" 'wasm-unsafe-eval'", ''),
    },
    needsSimd128,
  ],
  'a missing wasm file': ['network', /wasm.*404/, { change: remove('heed-simd128.wasm', 'heed-relaxed.wasm') }],
  'missing glue': ['network', /heed-\w+\.js.*404.*assets/, { change: remove('heed-simd128.js', 'heed-relaxed.js') }],
  'a missing worker': ['network', /heed-worker\.js.*404.*assets/, { change: remove('heed-worker.js') }],
}

for (const [name, [code, message, options, needs = {}]] of Object.entries(brokenSites)) {
  test(`explains what is wrong: ${name}`, needs, async () => {
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
