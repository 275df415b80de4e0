// Common misconfigurations. Each works anyway, or fails with a HeedError that names the cause and the remedy; none hangs.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { isolation, shared, siteFolder, startHost } from '../../tools/environments/host.mjs'
import { inRoot } from '../../tools/paths.mjs'

const seconds = 30

/** A page that reports the outcome of loading; `load` is the source code of the call. */
const page = load => `<!doctype html>
  <meta charset="utf-8">
  <link rel="icon" href="data:,">
  <script type="module">
    import { HeedError, loadModel } from './heed/index.js'
    const notices = []
    const onProgress = ({ notice }) => notice && notices.push(notice)
    try {
      const model = await ${load}
      const { text } = await model.generate('Once', { seed: 7, maxTokens: 8, stopAtEnd: false })
      globalThis.outcome = { text, threads: model.info.threads, simd: model.info.simd, notices }
    } catch (error) {
      globalThis.outcome = { heed: error instanceof HeedError, code: error.code, message: error.message }
    }
  </script>`

let browser
let site
before(async () => {
  browser = await startChromium()
  site = siteFolder({
    'index.html': page('loadModel()'),
    'address.html': page("loadModel('heed/heed-stories.gguf')"),
    'kept.html': page('loadModel(undefined, { keep: true, onProgress })'),
    'chat.html': page(`loadModel().then(async model => {
      await model.chat([{ role: 'user', content: 'Write a story.' }], { maxTokens: 1 })
      return model
    })`),
    'form.html': page(`loadModel().then(async model => {
      await model.compile({ choices: ['yes', 'no'] })
      return model
    })`),
    'lab.html': page(`loadModel().then(async model => {
      await model.score('Once upon a time')
      return model
    })`),
  })
})
after(async () => {
  await browser?.close()
  site?.close()
})

/** The outcome of a page: {text, threads, simd, notices}, or {heed, code, message}. */
async function outcomeAt(url, { init, context = browser.context } = {}) {
  const opened = await context.newPage()
  try {
    if (init) await opened.addInitScript(init)
    await opened.goto(url)
    await opened
      .waitForFunction(() => globalThis.outcome, null, { timeout: seconds * 1000 })
      .catch(() => {
        throw new Error(`waited ${seconds} s for the model to load, or for an error`)
      })
    return await opened.evaluate(() => globalThis.outcome)
  } finally {
    await opened.close()
  }
}

/** The outcome of the page on a host with this configuration. */
async function outcomeOn(host, { path = '', ...options } = {}) {
  const { url, close } = await startHost(site.folder, host)
  return outcomeAt(url + path, options).finally(close)
}

function assertWorks(outcome, expected) {
  assert.ok(outcome.text, outcome.message)
  for (const [key, value] of Object.entries(expected)) assert.equal(outcome[key], value, key)
}

/** Checks that loading failed, with a message that matches all `patterns`: the cause and the remedy. */
function assertSays(outcome, code, patterns) {
  assert.equal(outcome.heed, true, `no HeedError: ${JSON.stringify(outcome)}`)
  assert.equal(outcome.code, code, outcome.message)
  for (const pattern of patterns) assert.match(outcome.message, pattern)
}

const files = [
  'heed-worker.js',
  'heed-store.js',
  'heed-template.js',
  'heed-constraints.js',
  'heed-lab.js',
  'heed-kept.js',
  'heed-relaxed.js',
  'heed-relaxed.wasm',
  'heed-relaxed-extra.wasm',
  'heed-stories.gguf',
]
/**
 * The page that needs a file: the store's script is only loaded for a model at a URL, that of kept texts if they are asked for; the
 * scripts of templates, constraints and the lab at their first use.
 */
const needing = file => ({
  path:
    {
      'heed-store.js': 'address.html',
      'heed-kept.js': 'kept.html',
      'heed-template.js': 'chat.html',
      'heed-constraints.js': 'form.html',
      'heed-lab.js': 'lab.html',
      'heed-relaxed-extra.wasm': 'lab.html',
    }[file] ?? '',
})
const isFile = name => path => path === `heed/${name}`

/** A response for matching paths only. */
const only = (matches, answer) => path => (matches(path) ? answer : undefined)

describe('headers', () => {
  test('none: one thread', async () => assertWorks(await outcomeOn({}), { threads: 1 }))

  test('isolation headers on the page only', async () => {
    const except = path => (path.endsWith('.html') ? { headers: isolation } : undefined)
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

/** What happens without a file: an error; but a model that can keep nothing works, and a notice says why. */
async function assertMisses(file, except, patterns) {
  const outcome = await outcomeOn({ headers: isolation, except }, needing(file))
  if (file !== 'heed-kept.js') return assertSays(outcome, 'network', patterns)
  assertWorks(outcome, {})
  for (const pattern of [/^Nothing is kept: /, ...patterns]) assert.match(outcome.notices.at(-1), pattern)
}

describe('missing files', () => {
  for (const file of files) {
    test(`404 for ${file}`, () =>
      assertMisses(file, only(isFile(file), { status: 404, body: 'not found' }), [new RegExp(`${file}.*404`), /assets/]))

    test(`an HTML fallback page for ${file}`, () => {
      const headers = { 'Content-Type': 'text/html; charset=utf-8' }
      return assertMisses(file, only(isFile(file), { body: page(''), headers }), [new RegExp(file), /HTML/, /assets/])
    })
  }
})

// As with esbuild, Rollup, and the development servers of older Vites: the script is moved, its files are not.
describe('a moved script', () => {
  async function outcomeMoved(load, path, scripts = '') {
    const moved = siteFolder({
      'index.html': scripts + page(load).replace('./heed/index.js', `./${path}`),
      [path]: readFileSync(inRoot('dist/index.js')),
    })
    const host = await startHost(moved.folder, { headers: isolation })
    return outcomeAt(host.url).finally(() => Promise.all([host.close(), moved.close()]))
  }

  test('without its files', async () =>
    assertSays(await outcomeMoved('loadModel()', 'bundle/main.js'), 'network', [/bundle\/heed-worker\.js.*404/, /assets/]))
  test('with `assets` set', async () =>
    assertWorks(await outcomeMoved("loadModel(undefined, { assets: 'heed' })", 'bundle/main.js'), {}))
  test("by Vite's optimizer", async () =>
    assertSays(
      await outcomeMoved('loadModel()', 'node_modules/.vite/deps/heed.js', '<script type="module" src="/@vite/client"></script>'),
      'network',
      [/node_modules\/heed\/dist\/heed-worker\.js.*404/, /optimizeDeps: \{ exclude: \['heed'\] \}/],
    ))
  test('by another server that has packages in node_modules', async () =>
    assertSays(await outcomeMoved('loadModel()', 'node_modules/other/heed.js'), 'network', [
      /node_modules\/other\/heed-worker\.js.*404/,
      /^(?!.*Vite)/,
    ]))
})

describe('a Content-Security-Policy', () => {
  const base = "default-src 'none'; connect-src 'self'; img-src data:; "
  const policies = {
    'without worker-src': ["script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'"],
    'without WebAssembly': ["script-src 'self' 'unsafe-inline'", 'unsupported', [/'wasm-unsafe-eval'/, /script-src/]],
    'without workers': [
      "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; worker-src 'none'",
      'unsupported',
      [/worker-src/, /'self'/],
    ],
    'without connections': [
      "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'; connect-src 'none'",
      'network',
      [/connect-src/, /'self'/],
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

  test('without blob:, with the package on another origin', async () => {
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
  /** The outcome of a page that runs `load`, where OTHER is the URL of another host with these `headers`. */
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
      /heed-stories\.gguf/,
      /Access-Control-Allow-Origin/,
    ]))
})

describe('an old browser', () => {
  test('without relaxed SIMD', async () => {
    // Rejects the opcode of a relaxed dot product, like browsers without relaxed SIMD.
    const init = () => {
      const { validate } = WebAssembly
      const refused = bytes => /253,147,2,/.test(new Uint8Array(bytes.buffer ?? bytes).join())
      WebAssembly.validate = bytes => !refused(bytes) && validate(bytes)
    }
    assertWorks(await outcomeOn({ headers: isolation }, { init }), { simd: 'simd128' })
  })

  /** The outcome of the page in a Chromium with this V8 flag. */
  async function outcomeWith(flag) {
    const args = ['--no-sandbox', '--disable-gpu', `--js-flags=${flag}`]
    const old = await startChromium({ args })
    return outcomeOn({ headers: isolation }, { context: old.context }).finally(old.close)
  }

  const onX64 = { skip: process.arch !== 'x64' && 'only on x86-64 can SIMD be taken from V8' }
  test('without SIMD', onX64, async () => assertSays(await outcomeWith('--no-enable-ssse3'), 'unsupported', [/SIMD/, /browser/]))

  // As when JIT compilers are disabled for security, which also disables WebAssembly.
  test('without WebAssembly', async () => assertSays(await outcomeWith('--jitless'), 'unsupported', [/WebAssembly/, /browser/]))
})
