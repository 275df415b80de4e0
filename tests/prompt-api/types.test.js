// The types of heed/task-apis fit code that is written for a browser's own classes.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

test("code for Chrome's types takes our classes", () => {
  const args = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', 'false', '--target', 'ES2022', '--module', 'ESNext']
  const more = ['--moduleResolution', 'bundler', '--lib', 'ES2022,DOM,DOM.AsyncIterable', '--types', 'dom-chromium-ai']
  const { stdout, status } = spawnSync(
    process.execPath,
    [inRoot('node_modules/typescript/bin/tsc'), ...args, ...more, inRoot('tests/prompt-api/browser-types.ts')],
    { encoding: 'utf8', cwd: inRoot() },
  )
  assert.equal(stdout, '')
  assert.equal(status, 0)
})
