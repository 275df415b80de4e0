// heed vision: tiles, rows and tokens of images, against the oracle of ../shared.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const oracle = inRoot('..', 'shared', 'vision')
const needsShared = { skip: existsSync(oracle) ? false : 'there is no ../shared/vision' }
const folder = mkdtempSync(join(tmpdir(), 'heed-vision-'))
after(() => rmSync(folder, { recursive: true }))

const out = join(folder, 'out')
const picture = [17, 23, join(oracle, 'images/noise-17x23.rgb')]
const files = [join(oracle, 'models/qwen3vl.gguf'), '--mmproj', join(oracle, 'models/mmproj-qwen3vl.gguf')]
const heed = (...args) => spawnSync(inRoot('tools/heed'), ['vision', ...files, ...args], { encoding: 'utf8', input: '' })

function output(...args) {
  const { status, stdout, stderr } = heed(...args)
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

function fails(status, message, ...args) {
  const result = heed(...args)
  assert.equal(result.status, status, result.stderr)
  assert.match(result.stderr, message)
}

test('writes the tiles of an image, and the rows that they become', needsShared, () => {
  const { chunks } = JSON.parse(readFileSync(join(oracle, 'ref/qwen3vl--noise-17x23.json'), 'utf8'))
  const { width, height, n_tokens: rows } = chunks.find(chunk => chunk.type === 'image')
  const rgb = ['--rgb', ...picture, '--out', out, '--stage']
  assert.deepEqual(output(...rgb, 'pixels'), { tiles: [[width, height, rows]] })
  assert.equal(readFileSync(out).length, 3 * width * height * 4)
  assert.deepEqual(output(...rgb, 'embeddings'), { tiles: [[width, height, rows]] })
  assert.equal(readFileSync(out).length, readFileSync(join(oracle, 'ref/qwen3vl--noise-17x23.embd.f32')).length)
})

test('prints the tokens of a prompt, and where the rows of images are', needsShared, () => {
  const { chunks, n_past } = output('--size', '17', '23', '--stage', 'tokens', '-p', 'a<image>b')
  assert.equal(chunks.length, 3)
  assert.equal(chunks[1].positions.length, chunks[1].image)
  const side = 1 + Math.max(...chunks[1].positions.map(([time, row, column]) => Math.max(row, column) - time))
  assert.equal(n_past, chunks[0].length + side + chunks[2].length)
})

test('says what is wrong', needsShared, () => {
  writeFileSync(out, 'abc')
  fails(1, /must have 3 bytes for each of 17 x 23 pixels/, '--rgb', 17, 23, out, '--stage', 'pixels', '--out', join(folder, 'other'))
  fails(1, /image: 100000 x 3 pixels; sides must be/, '--size', '100000', '3', '--stage', 'tokens', '-p', '<image>')
  fails(1, /prompt: has 0 marks <image> for 1 images/, '--size', '10', '3', '--stage', 'tokens', '-p', 'nothing')
  fails(2, /--stage pixels needs --image or --rgb, and --out/, '--stage', 'pixels')
  fails(2, /not a number/, '--rgb', 'wide', 23, out, '--stage', 'pixels', '--out', out)
})
