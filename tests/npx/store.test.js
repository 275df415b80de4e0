// npx heed download, list and rm: stored models.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startHub } from '../support/hub/index.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'
import { blankModel } from '../support/gguf_files.mjs'
import { fails, folder, heed, output, program, start } from './support.mjs'

process.env.HEED_MODELS = join(folder, 'models') // also the commands' environment

const small = scriptedModel(['Hello.'])
const large = blankModel(8e6)
let hub
before(async () => {
  hub = await startHub({ 'heed/test': { 'small.gguf': small, 'large.gguf': large } })
})
after(() => hub.close())

const source = 'hf:heed/test/small.gguf'

/** Runs a command that uses the hub in this process. */
async function beside(...args) {
  const { status, written } = await start(process.execPath, [program, ...args]).ended
  return { status, written }
}
const endpoint = () => ['--endpoint', hub.endpoint]

test('nothing is stored at first', () => {
  assert.equal(heed('list').stdout, '')
  assert.match(heed('list').stderr, /no models are stored/)
  assert.equal(output('list', '--json'), '[]\n')
  fails(1, /^heed: not stored: x, y\n/, 'rm', 'x', 'y')
})

test('a download is listed, and not fetched again', async () => {
  const { status, written } = await beside('download', source, ...endpoint())
  assert.deepEqual([status, written], [0, `${source}  ${Math.round(small.length / 1000)} kB\n`])
  const { served } = hub
  const { written: json } = await beside('download', source, '--json', ...endpoint())
  assert.deepEqual([hub.served, JSON.parse(json).sha256], [served, hub.sum('heed/test', 'small.gguf')])
  const [head, line, ...rest] = output('list').split('\n')
  assert.match(head, /^SOURCE +SIZE {2}STATE +LAST USED$/)
  assert.match(line, /^hf:heed\/test\/small\.gguf +[\d.]+ kB {2}complete {2}\d{4}-\d\d-\d\d$/)
  assert.deepEqual(rest, [''])
  const [stored] = JSON.parse(output('list', '--json'))
  assert.deepEqual([stored.source, stored.complete, stored.bytes], [source, true, small.length])
})

test('an interrupted download goes on where it stopped', async () => {
  hub.behavior.bytesPerMs = 2000
  const { child, ended } = start(process.execPath, [program, 'download', 'hf:heed/test/large.gguf', ...endpoint()])
  while (hub.served < small.length + 3e6) await new Promise(resolve => setImmediate(resolve))
  child.kill('SIGINT')
  const { status, written } = await ended
  assert.deepEqual([status, written], [130, 'paused: the same command goes on\n'])
  assert.match(output('list'), /large\.gguf +[\d.]+ MB {2}\d+ %/)
  const { served } = hub
  hub.behavior.bytesPerMs = undefined
  const { status: done } = await beside('download', 'hf:heed/test/large.gguf', ...endpoint())
  assert.equal(done, 0)
  assert.ok(hub.served - served < large.length - 1e6, `${hub.served - served} more bytes`)
  assert.match(output('list'), /large\.gguf +8\.0 MB {2}complete/)
})

test('models are deleted by source or by name; what is unknown is named', () => {
  const result = heed('rm', 'small.gguf', 'other', 'hf:heed/test/large.gguf')
  assert.equal(result.status, 1)
  assert.equal(result.stderr, 'heed: not stored: other\n')
  assert.match(result.stdout, /^deleted hf:heed\/test\/small\.gguf .*\ndeleted hf:heed\/test\/large\.gguf .*\n$/)
  assert.equal(output('list', '--json'), '[]\n')
})

test('wrong usage, and what cannot be downloaded', async () => {
  fails(2, /no source/, 'download')
  fails(2, /no model/, 'rm')
  fails(2, /unexpected argument 'x'/, 'list', 'x')
  fails(2, /expected a URL/, 'download', 'model.gguf')
  const { status, written } = await beside('download', 'hf:heed/test/none.gguf', ...endpoint())
  assert.equal(status, 2)
  assert.match(written, /^heed: [^\n]*none\.gguf[^\n]*\n$/)
  hub.token = 'secret'
  const refused = await beside('download', source, ...endpoint())
  assert.equal(refused.status, 1)
  assert.equal((await beside('download', source, '--token', 'secret', ...endpoint())).status, 0)
  hub.token = undefined
})
