// The types of heed/ai-sdk in a user's compiler, along with those of the SDK, which need Node's.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

for (const [module, resolution, program] of [
  ['ESNext', 'bundler', 'types.ts'],
  ['NodeNext', 'nodenext', 'types.ts'],
  ['NodeNext', 'nodenext', 'types.cts'],
]) {
  test(`the types accept valid code and reject invalid code: ${program}, ${resolution}`, () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [
        inRoot('node_modules/typescript/bin/tsc'),
        '--noEmit',
        '--strict',
        '--noUncheckedIndexedAccess',
        '--target',
        'ES2022',
        '--lib',
        'ES2022,DOM,DOM.AsyncIterable',
        '--types',
        'node',
        '--module',
        module,
        '--moduleResolution',
        resolution,
        inRoot('tests/ai-sdk', program),
      ],
      { encoding: 'utf8' },
    )
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
}
