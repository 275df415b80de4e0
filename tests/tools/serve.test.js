// The server of `npm start`: compression.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { serve } from '../../tools/serve.mjs'

const text = 'attention '.repeat(1000)
let folder, server
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heed-serve-'))
  for (const name of ['index.html', 'a.js', 'a.wasm', 'a.svg', 'a.gguf']) writeFileSync(join(folder, name), text)
  server = await serve(folder, { compressed: true, change: (path, content) => `${content}!` })
})
after(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Resolves to {headers, bytes} as they are sent; fetch() would decompress them. */
const get = (path, { method = 'GET', accepts = 'gzip, br' } = {}) =>
  new Promise((resolve, reject) => {
    request(new URL(path, server.url), { method, headers: { 'Accept-Encoding': accepts } }, async response => {
      resolve({ headers: response.headers, bytes: Buffer.concat(await response.toArray()) })
    })
      .on('error', reject)
      .end()
  })

for (const [path, content] of [
  ['/', `${text}!`],
  ['/a.js', text],
  ['/a.wasm', text],
  ['/a.svg', text],
]) {
  test(`compresses ${path}`, async () => {
    const { headers, bytes } = await get(path)
    assert.equal(headers['content-encoding'], 'gzip')
    assert.equal(Number(headers['content-length']), bytes.length)
    assert.ok(bytes.length < text.length / 10)
    assert.equal(gunzipSync(bytes).toString(), content)
    const { headers: head, bytes: none } = await get(path, { method: 'HEAD' })
    assert.deepEqual([head['content-length'], head['content-encoding'], none.length], [headers['content-length'], 'gzip', 0])
  })
}

test('sends weights, and what cannot be decompressed, as they are', async () => {
  for (const [path, accepts] of [
    ['/a.gguf', 'gzip'],
    ['/a.js', 'identity'],
  ]) {
    const { headers, bytes } = await get(path, { accepts })
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(bytes.toString(), text)
  }
})

test('a file that has changed is compressed again', async () => {
  await get('/a.js')
  writeFileSync(join(folder, 'a.js'), 'new')
  utimesSync(join(folder, 'a.js'), 1, 1)
  assert.equal(gunzipSync((await get('/a.js')).bytes).toString(), 'new')
})
