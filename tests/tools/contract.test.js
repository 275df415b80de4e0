// The contract in api/, and the files generated from it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { generated } from '../../tools/contract/index.mjs'
import { inRoot } from '../../tools/paths.mjs'

test('all that is written from the contract is current', async () => {
  const files = await generated()
  assert.ok(files.length > 4)
  for (const [path, text] of files) {
    assert.match(text.slice(0, 60), /^\W+Written by tools\/contract/, path)
    assert.match(path, /\.generated\.(ts|hpp)$|^docs\/reference\/|_test\.cpp$/)
    assert.equal(readFileSync(inRoot(path), 'utf8'), text, `${path}: run npm run contract`)
  }
})

test('the contract has the types of its words', () => {
  const { stdout, status } = spawnSync(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-p', inRoot('api')], {
    encoding: 'utf8',
  })
  assert.deepEqual([stdout, status], ['', 0])
})
