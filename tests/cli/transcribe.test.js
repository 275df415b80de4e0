// heed transcribe and heed audio: the oracle of ../shared, stage by stage, and wrong usage.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'
import { pythonOracle } from '../support/python_oracle.mjs'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'

const { oracle, needsOracle } = pythonOracle('audio')
const folder = mkdtempSync(join(tmpdir(), 'heed-transcribe-'))
after(() => rmSync(folder, { recursive: true }))

const file = (name, bytes) => {
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}
const model = file('ggml.bin', whisperModel({ positions: 50 }))
const sound = file('talk.wav', wavFile(chirp(1.2)))
const heed = (...args) => spawnSync(inRoot('tools/heed'), args, { encoding: 'utf8', input: '' })

test('transcribes as whisper.cpp and the formulas of its oracle do', needsOracle, () => {
  const stages = 'mel,encoder,logits,cross,language,greedy,segments,dtw,pcm'
  const { status, stdout, stderr } = spawnSync(
    'python3',
    [join(oracle, 'check.py'), inRoot('tools/heed'), oracle, '--stages', stages],
    {
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stdout + stderr)
})

test('prints segments with their times, or as JSON', () => {
  const { status, stdout, stderr } = heed(
    'transcribe',
    model,
    '--wav',
    sound,
    '--stage',
    'segments',
    '--no-timestamps',
    '--dtw',
    '0:0',
  )
  assert.equal(status, 0, stderr)
  const { language, windows, segments } = JSON.parse(stdout)
  assert.equal(language, 'en')
  assert.deepEqual(windows[0].prompt, [50257, 50362])
  assert.ok(segments.every(({ tokens, dtw }) => dtw.length === tokens.filter(id => id < 50256).length))
  const text = heed('transcribe', model, '--wav', sound, '--no-timestamps', '--temperature', '0')
  assert.match(text.stdout, /^\[00:00:00\.000 --> 00:00:\d\d\.\d{3}\] /)
})

test('writes samples at another rate', () => {
  const out = join(folder, 'out.f32')
  assert.equal(heed('audio', '--wav', sound, '--stage', 'pcm', '--rate', '8000', '--out', out).status, 0)
  assert.equal(readFileSync(out).length, 9600 * 4)
})

test('wrong usage and damaged files are one line', () => {
  const fails = (status, message, ...args) => {
    const result = heed(...args)
    assert.equal(result.status, status, result.stderr)
    assert.match(result.stderr, message)
    assert.equal(result.stderr.split('\n').length, 2)
  }
  fails(2, /--wav is required/, 'transcribe', model)
  fails(2, /needs --out/, 'transcribe', model, '--wav', sound, '--stage', 'mel')
  fails(2, /LAYER:HEAD/, 'transcribe', model, '--wav', sound, '--dtw', 'x')
  fails(1, /has no head 9/, 'transcribe', model, '--wav', sound, '--dtw', '0:9')
  fails(1, /ends after/, 'transcribe', model, '--wav', file('cut.wav', wavFile(chirp(1)).slice(0, 99)))
  fails(1, /cannot be opened/, 'transcribe', model, '--wav', join(folder, 'missing.wav'))
  fails(1, /does not transcribe/, 'transcribe', inRoot('models/heed-stories.gguf'), '--wav', sound)
})
