// The lines of the README and of the manual that run the package's command.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { goldenBytes } from '../support/golden.mjs'
import { pngFrom } from '../support/image_files.mjs'
import { hearingProjectorFile, projectorFile, shaded } from '../support/projector_model.mjs'
import { blocksOf, documents } from '../support/snippets.mjs'
import { chirp, wavFile, whisperModel } from '../support/whisper_model.mjs'
import { file, folder, program, scripted, stories } from './support.mjs'

scripted('model.gguf', ['It scatters blue light most.'])
file('bert.gguf', goldenBytes('bert'))
file('vlm.gguf', readFileSync(stories))
file('mmproj.gguf', projectorFile(128)) // for the bundled model
for (const name of ['listener', 'big', 'small']) file(`${name}.gguf`, readFileSync(stories))
file('mmproj-audio.gguf', hearingProjectorFile(128))
file('fox.png', pngFrom(shaded(3)))
file('ggml-base.bin', whisperModel({ positions: 50 }))
file('talk.wav', wavFile(chirp(1)))
file('conversation.json', '[{"role": "user", "content": "Hi"}]')

const lines = new Set(
  documents
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ source }) => source.split('\n'))
    .filter(line => /npx heed (?!serve|download|list|rm)/.test(line)), // which have tests of their own
)

test('the manual shows the command', () => assert.ok(lines.size > 5))

for (const line of lines) {
  test(line.replace(/ *#.*/, ''), () => {
    const { status, stderr } = spawnSync('sh', ['-c', `npx() { shift; "${process.execPath}" "${program}" "$@"; }\n${line}`], {
      cwd: folder,
      encoding: 'utf8',
      input: '',
      timeout: 60_000,
    })
    assert.equal(status, 0, stderr)
  })
}
