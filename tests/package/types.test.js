// The published types, as a user's compiler sees them.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

const compiler = inRoot('node_modules/typescript/bin/tsc')
const options = [
  '--noEmit', '--strict', '--noUncheckedIndexedAccess', '--target', 'ES2022',
  '--lib', 'ES2022,DOM,DOM.AsyncIterable', '--types', '', inRoot('tests/package/types.ts'),
]

for (const [module, resolution] of [['ESNext', 'bundler'], ['NodeNext', 'nodenext']]) {
  test(`the types accept valid code and reject invalid code: ${resolution}`, () => {
    const modules = ['--module', module, '--moduleResolution', resolution]
    const args = [compiler, ...options, ...modules]
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
}
