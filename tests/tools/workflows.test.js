// The forge's workflows run other people's actions only in the versions that were reviewed.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inRoot } from '../../tools/paths.mjs'

test('actions are pinned by the hashes of their commits', () => {
  const folder = inRoot('.github/workflows')
  const used = readdirSync(folder).flatMap(name => readFileSync(`${folder}/${name}`, 'utf8').match(/uses:\s*\S+/g) ?? [])
  assert.ok(used.length > 0)
  for (const action of used) assert.match(action, /^uses:\s*[\w./-]+@[\da-f]{40}$/)
})
