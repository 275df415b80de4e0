// The shelf itself: it fetches exactly the requested versions.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fromDebian, fromNpm, realTest, tokenizersOfOthers } from './shelf.mjs'

test('a version that is not exact is refused', () => {
  for (const version of ['^1.0.0', 'latest', '1.0', '*'])
    assert.throws(() => fromNpm('shelf', { zod: version }), /name the version exactly/)
})

realTest(
  'a package of npm, in the version that was asked for',
  () => fromNpm('shelf', { typebox: '1.0.0' }),
  modules => {
    assert.equal(JSON.parse(readFileSync(join(modules, 'typebox/package.json'), 'utf8')).version, '1.0.0')
  },
)

realTest(
  'a package of Debian, unpacked',
  () => fromDebian('fortunes'),
  ({ fortunes }) => {
    assert.ok(existsSync(join(fortunes, 'usr/share/games/fortunes')))
  },
)

realTest('the tokenizers of others run', tokenizersOfOthers, async ({ run }) => {
  const { stdout } = await run('spm_train', ['--version'], { capture: true })
  assert.match(stdout, /sentencepiece 0\.2/)
})
