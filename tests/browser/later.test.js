// The scripts that the engine's worker fetches when they are first needed: at the first form, and at the first look into the model.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveSite } from './site.mjs'
import { useBrowser } from './support.mjs'

const { openPage } = useBrowser()

/** Loads a model, and defines `first(signal)`, which needs the file, and `plain`, which does not. */
const prepare = async file => {
  const model = await heed.loadModel(undefined, { threads: 1 })
  globalThis.plain = async () => (await model.generate('Once', { maxTokens: 3 })).tokens.length
  const calls = {
    'heed-constraints.js': signal => model.compile({ choices: ['yes', 'no'], signal }).then(({ size }) => size > 0),
    'heed-constraints.wasm': signal => model.compile({ choices: ['yes', 'no'], signal }).then(({ size }) => size > 0),
    'heed-lab.js': signal => model.score('Once upon a time', { signal }).then(({ tokens }) => tokens.length > 0),
  }
  globalThis.first = async signal => calls[file](signal).catch(({ name, code, message }) => ({ name, code, message }))
}

for (const file of ['heed-constraints.js', 'heed-constraints.wasm', 'heed-lab.js']) {
  const requests = []
  /** What is done with the next requests for the file; afterwards it is sent. */
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

  test(`${file}: one that cannot be fetched is an error of the call alone, and the next call tries again`, () => inSite(async page => {
    const failures = {
      missing: response => { response.writeHead(404).end('not found'); return true },
      'of another kind': response => { response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'); return true },
      'cut off': response => {
        response.writeHead(200, { 'Content-Type': file.endsWith('.js') ? 'text/javascript' : 'application/wasm', 'Content-Length': 1e6 })
        response.write('0')
        setImmediate(() => response.destroy())
        return true
      },
    }
    for (const [name, fail] of Object.entries(failures)) {
      answers = [fail]
      const { code, message } = await page.evaluate(() => globalThis.first())
      assert.equal(code, 'network', `${name}: ${message}`)
      assert.ok(message.includes(file), message)
      assert.equal(await page.evaluate(() => globalThis.plain()), 3)
    }
    assert.deepEqual(await page.evaluate(() => Promise.all([globalThis.first(), globalThis.first()])), [true, true])
    const { length } = requests
    assert.equal(await page.evaluate(() => globalThis.first()), true)
    assert.equal(requests.length, length, 'it is fetched once')
  }))

  test(`${file}: while it is fetched, an abort is heard and other calls go on`, () => inSite(async page => {
    let release
    const held = new Promise(resolve => { release = resolve })
    const asked = new Promise(resolve => { answers = [async () => { resolve(); await held; return false }] })
    await page.evaluate(() => {
      globalThis.stop = new AbortController()
      globalThis.aborted = globalThis.first(globalThis.stop.signal)
      globalThis.waiting = globalThis.first()
    })
    await asked
    assert.equal(await page.evaluate(() => globalThis.plain()), 3)
    assert.deepEqual(await page.evaluate(async () => {
      globalThis.stop.abort()
      const { name, code } = await globalThis.aborted
      return [name, code]
    }), ['AbortError', 'aborted'])
    assert.equal(await page.evaluate(() => globalThis.plain()), 3)
    release()
    assert.equal(await page.evaluate(() => globalThis.waiting), true)
    assert.equal(await page.evaluate(() => globalThis.first()), true)
  }))
}
