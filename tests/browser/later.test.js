// The files that the engine's worker loads on demand: at the first constraint, and at the first call of the lab.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveSite } from './site.mjs'
import { modules, useBrowser } from './support.mjs'

const { openPage } = useBrowser()
/** The extra part of the module that runs. */
const extra = `heed-${modules.includes('relaxed') ? 'relaxed' : 'simd128'}-extra.wasm`

/** Loads a model, and defines `window.first(signal)`, which needs the file, and `plain`, which does not. */
const prepare = async file => {
  const model = await heed.loadModel(undefined, { threads: 1 })
  window.plain = async () => (await model.generate('Once', { maxTokens: 3 })).tokens.length
  const lab = signal => model.score('Once upon a time', { signal }).then(({ tokens }) => tokens.length > 0)
  const calls = {
    'heed-constraints.js': signal => model.compile({ choices: ['yes', 'no'], signal }).then(({ size }) => size > 0),
    'heed-constraints.wasm': signal => model.compile({ choices: ['yes', 'no'], signal }).then(({ size }) => size > 0),
    'heed-lab.js': lab,
  }
  window.first = async signal => (calls[file] ?? lab)(signal).catch(({ name, code, message }) => ({ name, code, message }))
}
for (const file of ['heed-constraints.js', 'heed-constraints.wasm', 'heed-lab.js', extra]) {
  const requests = []
  /** The answers to the next requests for the file; afterwards the file is sent. */
  let answers = []
  const handle = async (request, response) => {
    if (!request.url.endsWith(`/${file}`)) return false
    requests.push(request)
    return answers.shift()?.(response) ?? false
  }
  const inSite = async body => {
    requests.length = 0
    const site = await serveSite({ handle })
    try {
      const page = await openPage(site)
      await page.evaluate(prepare, file)
      assert.equal(requests.length, 0, 'nothing is fetched before it is needed')
      await body(page)
      await page.close()
    } finally {
      await site.close()
    }
  }

  test(`${file}: one that cannot be fetched is an error of the call alone, and the next call tries again`, () =>
    inSite(async page => {
      const failures = {
        missing: response => {
          response.writeHead(404).end('not found')
          return true
        },
        'of another kind': response => {
          response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>')
          return true
        },
        'cut off': response => {
          response.writeHead(200, {
            'Content-Type': file.endsWith('.js') ? 'text/javascript' : 'application/wasm',
            'Content-Length': 1e6,
          })
          response.write('0')
          setImmediate(() => response.destroy())
          return true
        },
      }
      for (const [name, fail] of Object.entries(failures)) {
        answers = [fail]
        const { code, message } = await page.evaluate(() => window.first())
        assert.equal(code, 'network', `${name}: ${message}`)
        assert.ok(message.includes(file), message)
        assert.equal(await page.evaluate(() => window.plain()), 3)
      }
      assert.deepEqual(await page.evaluate(() => Promise.all([window.first(), window.first()])), [true, true])
      const { length } = requests
      assert.equal(await page.evaluate(() => window.first()), true)
      assert.equal(requests.length, length, 'it is fetched once')
    }))

  test(`${file}: while it is fetched, an abort is heard and other calls go on`, () =>
    inSite(async page => {
      let release
      const held = new Promise(resolve => {
        release = resolve
      })
      const asked = new Promise(resolve => {
        answers = [
          async () => {
            resolve()
            await held
            return false
          },
        ]
      })
      await page.evaluate(() => {
        window.stop = new AbortController()
        window.aborted = window.first(window.stop.signal)
        window.waiting = window.first()
      })
      await asked
      assert.equal(await page.evaluate(() => window.plain()), 3)
      assert.deepEqual(
        await page.evaluate(async () => {
          window.stop.abort()
          const { name, code } = await window.aborted
          return [name, code]
        }),
        ['AbortError', 'aborted'],
      )
      assert.equal(await page.evaluate(() => window.plain()), 3)
      release()
      assert.equal(await page.evaluate(() => window.waiting), true)
      assert.equal(await page.evaluate(() => window.first()), true)
    }))
}
