// The responses of `npm start` while modules are being built.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { serve } from '../../tools/serve.mjs'
import { buildingSite } from '../../tools/start/building-site.mjs'

let folder
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'heed-start-'))
  mkdirSync(join(folder, 'assets'))
  const files = {
    'index.html': '<head></head>',
    'service-worker.js': 'worker',
    'assets/heed-worker-a1.js': 'script',
    'assets/heed-simd128-b2.wasm': 'stand-in',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
})
after(() => rmSync(folder, { recursive: true }))

/** Serves the folder while one module is being built; `built` and `fail` end that. */
async function serveBuilding(body) {
  let built, fail
  const site = buildingSite(
    {
      simd128: new Promise((resolve, reject) => {
        built = resolve
        fail = reject
      }),
    },
    join(folder, 'index.html'),
  )
  const server = await serve(folder, site)
  const get = path => fetch(new URL(path, server.url))
  const text = path => get(path).then(response => response.text())
  try {
    await body({ site, get, text, built, fail })
  } finally {
    await server.close()
  }
}

/** Reads messages of an event stream until one matches. */
async function messageThat(response, matches) {
  let text = ''
  for await (const bytes of response.body) {
    text += Buffer.from(bytes)
    for (const [, data] of text.matchAll(/^data: (.*)\n\n/gm)) if (matches(JSON.parse(data))) return JSON.parse(data)
  }
}

test('a request for a module waits for it, and the page is told', () =>
  serveBuilding(async ({ site, get, text, built }) => {
    assert.match(await text('/'), /<script src="\.\/heed-still-building\.js" defer><\/script><\/head>/)
    assert.match(await text('/heed-still-building.js'), /EventSource/)
    assert.equal(await text('/assets/heed-worker-a1.js'), 'script', 'other files are there')
    const [module, worker] = [text('/assets/heed-simd128-b2.wasm'), text('/service-worker.js')]
    site.report('12/23')
    const { waiting, progress, done } = await messageThat(await get('/heed-still-building'), ({ waiting }) => waiting.length > 0)
    assert.deepEqual([waiting, progress, done], [['heed-simd128'], '12/23', false])
    writeFileSync(join(folder, 'assets/heed-simd128-b2.wasm'), 'module')
    built()
    assert.deepEqual(await Promise.all([module, worker]), ['module', 'worker'])
    assert.equal(await text('/'), '<head></head>', 'a page that waits for nothing is sent as it is')
  }))

test('a module that cannot be built is an error with the reason', () =>
  serveBuilding(async ({ get, fail }) => {
    const answer = get('/assets/heed-simd128-b2.wasm')
    fail(new Error('clang ended with 1'))
    const response = await answer
    assert.deepEqual([response.status, await response.text()], [503, 'clang ended with 1'])
  }))
