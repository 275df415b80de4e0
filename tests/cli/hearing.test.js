// heed audio, logits and run with sounds in prompts: the oracle of ../shared, stage by stage, and wrong usage.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { hearingProjectorFile } from '../support/projector_model.mjs'
import { pythonOracle } from '../support/python_oracle.mjs'
import { chirp, wavFile } from '../support/whisper_model.mjs'

const { oracle, needsOracle } = pythonOracle('audio')
const folder = mkdtempSync(join(tmpdir(), 'heed-hearing-'))
after(() => rmSync(folder, { recursive: true }))

const file = (name, bytes) => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}
const model = inRoot('models/heed-stories.gguf')
const heed = (...args) => spawnSync(inRoot('tools/heed'), args, { encoding: 'utf8', input: '' })
const width = JSON.parse(heed('info', model).stdout).metadata['llama.embedding_length']
const mmproj = file('mmproj.gguf', hearingProjectorFile(width))
const sound = file('talk.wav', wavFile(chirp(0.2)))

test('reads sounds in prompts as llama.cpp and the formulas of its oracle do', needsOracle, () => {
  const stages = 'features,embeddings,tokens,prompt-logits,prompt-greedy,layout'
  const checked = spawnSync('python3', [join(oracle, 'check.py'), inRoot('tools/heed'), oracle, '--stages', stages], {
    encoding: 'utf8',
  })
  assert.equal(checked.status, 0, checked.stdout + checked.stderr)
})

test('says where sounds are in a prompt, and writes what is made of them', () => {
  const { stdout, stderr } = heed('audio', model, '--mmproj', mmproj, '--wav', sound, '--stage', 'tokens', '-p', 'a<audio>b')
  assert.equal(stderr, '')
  const { chunks, n_past: positions } = JSON.parse(stdout)
  const rows = chunks.reduce((sum, chunk) => sum + (chunk.audio ?? 0), 0)
  assert.equal(rows, 5)
  assert.equal(
    positions,
    chunks.reduce((sum, chunk) => sum + (chunk.audio ?? chunk.length), 0),
  )
  const planned = heed('audio', model, '--mmproj', mmproj, '--samples', '3200', '--stage', 'tokens', '-p', 'a<audio>b')
  assert.equal(planned.stdout, stdout)
  const out = join(folder, 'out.f32')
  const written = heed('audio', '--mmproj', mmproj, '--wav', sound, '--stage', 'features', '--out', out)
  assert.deepEqual(JSON.parse(written.stdout), { chunks: [[5, 640, 5]] })
  assert.equal(readFileSync(out).length, 5 * 640 * 4)
  assert.equal(heed('audio', '--mmproj', mmproj, '--wav', sound, '--stage', 'embeddings', '--out', out).status, 0)
  assert.equal(readFileSync(out).length, 5 * width * 4)
  const run = heed('run', model, '--mmproj', mmproj, '--wav', sound, '-p', '<audio> a', '--tokens', '4', '--greedy', '--ids')
  assert.equal(JSON.parse(run.stdout).length, 4)
})

test('wrong usage is one line', () => {
  const fails = (status, message, ...args) => {
    const result = heed(...args)
    assert.equal(result.status, status, result.stderr)
    assert.match(result.stderr, message)
    assert.equal(result.stderr.split('\n').length, 2)
  }
  fails(2, /images and sounds need --mmproj/, 'run', model, '--wav', sound, '-p', '<audio>')
  fails(2, /needs --mmproj/, 'audio', '--wav', sound, '--stage', 'features', '--out', 'a')
  fails(2, /needs --out/, 'audio', '--mmproj', mmproj, '--wav', sound, '--stage', 'features')
  fails(2, /needs MODEL and --prompt/, 'audio', '--mmproj', mmproj, '--stage', 'tokens')
  fails(2, /needs one --wav/, 'audio', '--stage', 'pcm', '--out', 'a')
  fails(1, /has 2 marks <audio> for 1 sounds/, 'run', model, '--mmproj', mmproj, '--wav', sound, '-p', '<audio><audio>')
  fails(1, /ends/, 'run', model, '--mmproj', mmproj, '--wav', file('cut.wav', wavFile(chirp(1)).slice(0, 99)), '-p', '<audio> a')
})
