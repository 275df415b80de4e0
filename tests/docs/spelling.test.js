// The words of the README and of the manual are spelled as in cspell's dictionaries, or in words.txt. The names of model families are not words.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inRoot, root } from '../../tools/paths.mjs'

const program = inRoot('node_modules/cspell/bin.mjs')
const isOld = process.versions.node.split('.')[0] < 22 && 'cspell needs Node 22'

test('of all words, only one is unknown, which was put beside them', { skip: isOld }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-words-'))
  const wrong = join(folder, 'wrong.md')
  writeFileSync(wrong, 'A modle that answers.')
  const options = ['--config', inRoot('tests/docs/cspell.json'), '--no-progress', '--no-summary', '--root', '/']
  const args = [program, ...options, inRoot('README.md'), inRoot('docs/**/*.md'), wrong]
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const [found, ...others] = (stdout + stderr).trim().split('\n')
  assert.match(found, /wrong\.md.*modle/)
  assert.deepEqual(others, [], 'a word that is right belongs into tests/docs/words.txt')
})

test('the list of words is in order, without repetitions', () => {
  const words = readFileSync(inRoot('tests/docs/words.txt'), 'utf8').trim().split('\n')
  assert.deepEqual(words, [...new Set(words)].sort())
})
