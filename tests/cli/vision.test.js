// heed vision: tiles, rows and tokens of images, against the oracle of ../shared.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

test('reads PNG files of any form', needsShared, () => {
  const program = (...args) =>
    spawnSync(inRoot('tools/heed'), ['vision', '--stage', 'rgb', '--out', out, ...args], { encoding: 'utf8' })
  const { images } = JSON.parse(readFileSync(join(oracle, 'index.json'), 'utf8'))
  assert.ok(images['noise-17x23'].raw)
  const { status, stdout, stderr } = program('--image', join(oracle, 'images/noise-17x23.png'))
  assert.equal(status, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), { width: 17, height: 23 })
  assert.deepEqual(readFileSync(out), readFileSync(picture[2]))
  for (const name of readdirSync(join(oracle, 'png'))) {
    assert.equal(program('--image', join(oracle, 'png', name)).status, 0, name)
  }
  const damaged = join(folder, 'damaged.png')
  const sound = readFileSync(join(oracle, 'images/noise-17x23.png'))
  for (const bytes of [Buffer.alloc(0), Buffer.from('not a PNG file'), sound.subarray(0, 300), sound.subarray(0, 20)]) {
    writeFileSync(damaged, bytes)
    const result = program('--image', damaged)
    assert.equal(result.status, 1)
    assert.match(result.stderr, /damaged\.png: is not a sound PNG file/)
  }
})

test('texts go on after images, and logits are those of the reference', needsShared, () => {
  const { prompt, greedy } = JSON.parse(readFileSync(join(oracle, 'ref/qwen3vl--noise-17x23.json'), 'utf8'))
  const image = ['--image', join(oracle, 'images/noise-17x23.png'), '-p', prompt]
  const program = (command, ...args) => spawnSync(inRoot('tools/heed'), [command, ...files, ...args], { encoding: 'utf8' })
  const ids = program('run', ...image, '--tokens', greedy.length, '--greedy', '--ids')
  assert.equal(ids.status, 0, ids.stderr)
  assert.deepEqual(JSON.parse(ids.stdout), greedy)
  const logits = program('logits', ...image, '--last', '3', '--context', '4096', '--out', out)
  assert.equal(logits.status, 0, logits.stderr)
  const floats = path => new Float32Array(Uint8Array.from(readFileSync(path)).buffer)
  const [got, expected] = [floats(out), floats(join(oracle, 'ref/qwen3vl--noise-17x23.logits.f32'))]
  assert.equal(got.length, expected.length)
  assert.ok(got.every((value, i) => Math.abs(value - expected[i]) < 1e-3))
  const alone = spawnSync(inRoot('tools/heed'), ['run', files[0], ...image], { encoding: 'utf8' })
  assert.equal(alone.status, 2)
  assert.match(alone.stderr, /images and sounds need --mmproj/)
})

for (const name of ['qwen3vl', 'gemma3']) {
  test(`what is read of texts is read of texts with images: ${name}`, needsShared, () => {
    const { chunks, prompt, n_past: positions } = JSON.parse(readFileSync(join(oracle, `ref/${name}--noise-17x23.json`), 'utf8'))
    const pair = [join(oracle, `models/${name}.gguf`), '--mmproj', join(oracle, `models/mmproj-${name}.gguf`)]
    const image = ['--rgb', ...picture, '-p', prompt]
    const program = (command, ...args) => {
      const { status, stdout, stderr } = spawnSync(inRoot('tools/heed'), [command, ...pair, ...image, ...args], {
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      return stdout && JSON.parse(stdout)
    }
    const kinds = chunks.flatMap(({ type, n_tokens: rows, tokens }) =>
      type === 'image' ? Array(rows).fill('row') : tokens.map(() => 'token'),
    )
    const first = kinds.indexOf('row'),
      last = kinds.length - 1
    assert.ok(positions <= kinds.length)

    const { logprob, sum } = program('score')
    assert.deepEqual(
      logprob.map(value => value === null),
      kinds.map((kind, at) => at === 0 || kind === 'row'),
    )
    assert.ok(Math.abs(sum - logprob.reduce((total, value) => total + (value ?? 0), 0)) < 1e-5)
    assert.deepEqual(program('score', '--batch', '1').logprob, logprob)
    assert.ok(Math.abs(program('score', '--from', String(last)).sum - logprob[last]) < 1e-6)

    const states = (...args) => {
      program('hidden', '--out', out, ...args)
      return readFileSync(out)
    }
    const all = states()
    assert.ok(all.equals(states('--batch', '3')))
    const embeddings = new Float32Array(Uint8Array.from(readFileSync(join(oracle, `ref/${name}--noise-17x23.embd.f32`))).buffer)
    const entering = new Float32Array(Uint8Array.from(states('--layers', '-1', '--positions', String(first))).buffer)
    assert.ok(entering.every((value, i) => Math.abs(value - embeddings[i]) < 1e-3))

    const { layers } = program('lens', '--top', '1', '--positions', [last - 1, first].join(), '--watch', '5')
    assert.ok(layers.every(({ top, watch }) => top.length === 2 && watch.length === 2))
    const { logit, sum: parts } = program('attribute', '--position', String(last), '--token', '5')
    assert.ok(Math.abs(logit - parts) < 1e-3)
  })
}

test('says what is wrong', needsShared, () => {
  writeFileSync(out, 'abc')
  fails(
    1,
    /must have 3 bytes for each of 17 x 23 pixels/,
    '--rgb',
    17,
    23,
    out,
    '--stage',
    'pixels',
    '--out',
    join(folder, 'other'),
  )
  fails(1, /image: 100000 x 3 pixels; sides must be/, '--size', '100000', '3', '--stage', 'tokens', '-p', '<image>')
  fails(1, /prompt: has 0 marks <image> for 1 images/, '--size', '10', '3', '--stage', 'tokens', '-p', 'nothing')
  for (const command of ['score', 'lens', 'hidden', 'attribute']) {
    const rest = { hidden: ['--out', out], attribute: ['--position', '0', '--token', '1'] }[command] ?? []
    const { status, stderr } = spawnSync(inRoot('tools/heed'), [command, ...files, ...rest], { encoding: 'utf8' })
    assert.equal(status, 2)
    assert.match(stderr, /either --tokens or --prompt is required/)
  }
  fails(2, /--stage pixels needs --image or --rgb, and --out/, '--stage', 'pixels')
  fails(2, /not a number/, '--rgb', 'wide', 23, out, '--stage', 'pixels', '--out', out)
})
