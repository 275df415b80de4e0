// Set-ups that are wrong in ways that people meet. Each either works all the same, or fails with a HeedError that names the
// cause and the remedy; none waits for ever.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { isolation, shared, siteFolder, startHost } from '../../tools/environments/host.mjs'
import { inRoot } from '../../tools/paths.mjs'

const seconds = 30

/** Tells how loading went; `load` is the code of the call. */
const page = load => `<!doctype html>
  <meta charset="utf-8">
  <link rel="icon" href="data:,">
  <script type="module">
    import { HeedError, loadModel } from './heed/index.js'
    try {
      const model = await ${load}
      const { text } = await model.generate('Once', { seed: 7, maxTokens: 8, stopAtEnd: false })
      globalThis.outcome = { text, threads: model.info.threads, simd: model.info.simd }
    } catch (error) {
      globalThis.outcome = { heed: error instanceof HeedError, code: error.code, message: error.message }
    }
  </script>`

let browser
let site
before(async () => {
  browser = await startChromium()
  site = siteFolder({ 'index.html': page('loadModel()'), 'address.html': page("loadModel('heed/heed-stories.gguf')") })
})
after(async () => {
  await browser?.close()
  site?.close()
})

/** What a page comes to, whatever the host is: {text, threads, simd}, or {heed, code, message}. */
async function outcomeAt(url, { init, context = browser.context } = {}) {
  const opened = await context.newPage()
  try {
    if (init) await opened.addInitScript(init)
    await opened.goto(url)
    await opened.waitForFunction(() => globalThis.outcome, null, { timeout: seconds * 1000 })
      .catch(() => { throw new Error(`waited ${seconds} s for the model to load, or for an error`) })
    return await opened.evaluate(() => globalThis.outcome)
  } finally {
    await opened.close()
  }
}

/** What the page comes to on a host that is set up in some way. */
async function outcomeOn(host, { path = '', ...options } = {}) {
  const { url, close } = await startHost(site.folder, host)
  return outcomeAt(url + path, options).finally(close)
}

function assertWorks(outcome, expected) {
  assert.ok(outcome.text, outcome.message)
  for (const [key, value] of Object.entries(expected)) assert.equal(outcome[key], value, key)
}

/** That it failed, and the message names all of what `patterns` match: the cause and the remedy. */
function assertSays(outcome, code, patterns) {
  assert.equal(outcome.heed, true, `no HeedError: ${JSON.stringify(outcome)}`)
  assert.equal(outcome.code, code, outcome.message)
  for (const pattern of patterns) assert.match(outcome.message, pattern)
}

const files = ['heed-worker.js', 'heed-store.js', 'heed-relaxed.js', 'heed-relaxed.wasm', 'heed-stories.gguf']
/** A page that needs a file: of the store's script, one with a model from an address. */
const needing = file => ({ path: file === 'heed-store.js' ? 'address.html' : '' })
const isFile = name => path => path === `heed/${name}`

/** The answer of a host to one path only. */
const only = (matches, answer) => path => matches(path) ? answer : undefined

describe('headers', () => {
  test('none: one thread', async () => assertWorks(await outcomeOn({}), { threads: 1 }))

  test('Cross-Origin-Embedder-Policy on the page alone', async () => {
    const except = path => path.endsWith('.html') ? { headers: isolation } : undefined
    assertWorks(await outcomeOn({ except }), {})
  })
})

describe('content types', () => {
  const plain = { headers: { 'Content-Type': 'text/plain' } }
  const none = { headers: { 'Content-Type': undefined } }
  for (const [name, answer] of Object.entries({ 'text/plain': plain, none })) {
    for (const file of files) {
      test(`${name} for ${file}`, async () => {
        const strict = { ...isolation, 'X-Content-Type-Options': 'nosniff' }
        assertWorks(await outcomeOn({ headers: strict, except: only(isFile(file), answer) }, needing(file)), {})
      })
    }
  }
})

describe('missing files', () => {
  for (const file of files) {
    test(`404 for ${file}`, async () => {
      const missing = only(isFile(file), { status: 404, body: 'not found' })
      assertSays(await outcomeOn({ headers: isolation, except: missing }, needing(file)), 'network', [
        new RegExp(`${file}.*404`), /assets/,
      ])
    })

    test(`a page of the application for ${file}`, async () => {
      const fallback = only(isFile(file), {
        body: page(''), headers: { 'Content-Type': 'text/html; charset=utf-8' },
      })
      assertSays(await outcomeOn({ headers: isolation, except: fallback }, needing(file)), 'network', [
        new RegExp(file), /HTML/, /assets/,
      ])
    })
  }
})

// What esbuild and Rollup do, and the development servers of older Vites: the script is elsewhere, the files are not.
describe('a script that was moved', () => {
  async function outcomeMoved(load, path) {
    const moved = siteFolder({
      'index.html': page(load).replace('./heed/index.js', `./${path}`), [path]: readFileSync(inRoot('dist/index.js')),
    })
    const host = await startHost(moved.folder, { headers: isolation })
    return outcomeAt(host.url).finally(() => Promise.all([host.close(), moved.close()]))
  }

  test('without its files', async () =>
    assertSays(await outcomeMoved('loadModel()', 'bundle/main.js'), 'network', [/bundle\/heed-worker\.js.*404/, /assets/]))
  test('that is told where they are', async () =>
    assertWorks(await outcomeMoved("loadModel(undefined, { assets: 'heed' })", 'bundle/main.js'), {}))
  test('by an optimizer', async () =>
    assertSays(await outcomeMoved('loadModel()', 'node_modules/.vite/deps/heed.js'), 'network', [
      /node_modules\/heed\/dist\/heed-worker\.js.*404/, /optimizeDeps: \{ exclude: \['heed'\] \}/,
    ]))
})

describe('a Content-Security-Policy', () => {
  const base = "default-src 'none'; connect-src 'self'; img-src data:; "
  const policies = {
    'without worker-src': ["script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'"],
    'without WebAssembly': ["script-src 'self' 'unsafe-inline'", 'unsupported', [/'wasm-unsafe-eval'/, /script-src/]],
    'without workers': [
      "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'none'", 'unsupported', [/worker-src/, /'self'/],
    ],
    'without connections': [
      "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'none'", 'network', [/connect-src/, /'self'/],
    ],
  }
  for (const [name, [policy, code, patterns]] of Object.entries(policies)) {
    test(name, async () => {
      const others = policy.includes('connect-src') ? base.replace("connect-src 'self'; ", '') : base
      const outcome = await outcomeOn({ headers: { ...isolation, 'Content-Security-Policy': others + policy } })
      if (code) assertSays(outcome, code, patterns)
      else assertWorks(outcome, {})
    })
  }

  test('without blob:, and the package from another origin', async () => {
    const other = await startHost(site.folder, { headers: shared })
    const elsewhere = siteFolder({ 'index.html': page('loadModel()').replace('./heed/', `${other.url}heed/`) })
    const policy = `script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' ${other.url}; worker-src 'self'`
    const host = await startHost(elsewhere.folder, {
      headers: { ...isolation, 'Content-Security-Policy': policy },
    })
    try {
      assertSays(await outcomeAt(host.url), 'unsupported', [/worker-src/, /blob:/])
    } finally {
      await host.close()
      await other.close()
      elsewhere.close()
    }
  })
})

describe('another origin', () => {
  /** What a page comes to that loads by `load` from a host with `headers`, whose address is OTHER in `load`. */
  async function outcomeAcross(load, headers) {
    const other = await startHost(site.folder, { headers })
    const local = siteFolder({ 'index.html': page(load.replaceAll('OTHER', other.url)) })
    const host = await startHost(local.folder, { headers: isolation })
    try {
      return await outcomeAt(host.url)
    } finally {
      await host.close()
      await other.close()
      local.close()
    }
  }
  const assets = "loadModel(undefined, { assets: 'OTHERheed/' })"

  test('the files, with CORS', async () => assertWorks(await outcomeAcross(assets, shared), {}))
  test('the files, without CORS', async () =>
    assertSays(await outcomeAcross(assets, {}), 'network', [/heed-worker\.js/, /Access-Control-Allow-Origin/]))
  test('a model, without CORS', async () =>
    assertSays(await outcomeAcross("loadModel('OTHERheed/heed-stories.gguf')", {}), 'network', [
      /heed-stories\.gguf/, /Access-Control-Allow-Origin/,
    ]))
})

describe('an old browser', () => {
  test('without relaxed SIMD', async () => {
    // Refuses the opcode of a relaxed dot product, as browsers did that did not know it.
    const init = () => {
      const { validate } = WebAssembly
      const refused = bytes => /253,147,2,/.test(new Uint8Array(bytes.buffer ?? bytes).join())
      WebAssembly.validate = bytes => !refused(bytes) && validate(bytes)
    }
    assertWorks(await outcomeOn({ headers: isolation }, { init }), { simd: 'simd128' })
  })

  /** What the page comes to in a Chromium whose V8 lacks something. */
  async function outcomeWith(flag) {
    const args = ['--no-sandbox', '--disable-gpu', `--js-flags=${flag}`]
    const old = await startChromium({ args })
    return outcomeOn({ headers: isolation }, { context: old.context }).finally(old.close)
  }

  const onX64 = { skip: process.arch !== 'x64' && 'only on x86-64 can SIMD be taken from V8' }
  test('without SIMD', onX64, async () =>
    assertSays(await outcomeWith('--no-enable-ssse3'), 'unsupported', [/SIMD/, /browser/]))

  // As with JavaScript's compilers switched off for security, which takes WebAssembly away.
  test('without WebAssembly', async () =>
    assertSays(await outcomeWith('--jitless'), 'unsupported', [/WebAssembly/, /browser/]))
})
