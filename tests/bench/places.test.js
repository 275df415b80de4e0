// The scripts of `npm run bench -- passes` and `-- drafts` run to their end in Node.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadModel } from 'heed'
import { writeModel } from '../../tools/bench/models/index.mjs'
import { callAt } from '../../tools/bench/places.mjs'
import { execute } from '../../tools/running/execute.mjs'
import { scriptedModel } from '../support/scripted_model.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heed-bench-'))
after(() => rmSync(folder, { recursive: true }))

const toolchain = { run: (_node, args, options) => execute(process.execPath, args, options) }
const call = (...args) => callAt({ place: 'node', toolchain }, ...args)

test('passes of one and of several texts are timed', async () => {
  const url = join(folder, 'tiny.gguf')
  writeModel(url, 'tiny', 'q8_0')
  const { times } = await call('passes.js', 'passes', { url, counts: [1, 3], rounds: 2, context: 20, tokens: 8, threads: 1 })
  assert.deepEqual(
    times.map(({ count }) => count),
    [1, 3],
  )
  for (const { one, several } of times) {
    assert.deepEqual([one.length, several.length], [2, 2])
    assert.ok(one.every(ms => ms > 0))
  }
})

test('texts with drafts must be those that are known', async () => {
  const url = join(folder, 'scripted.gguf')
  const bytes = scriptedModel(['One fox, two owls and three hens went to the market.'], { endless: true })
  writeFileSync(url, bytes)
  const model = await loadModel(bytes)
  const { tokens } = await model.generate('a', { maxTokens: 60, temperature: 0, stopAtEnd: false })
  await model.dispose()
  const [start, ...next] = tokens.map(({ id }) => id)
  const asked = {
    url,
    draft: url,
    classes: [{ rate: 100, start, next }],
    rounds: 2,
    context: 8,
    tokens: 40,
    threads: 1,
    parallel: 2,
  }
  const { byRate } = await call('drafts.js', 'compare', asked)
  const { first, plain, drafted } = byRate[100]
  assert.deepEqual([plain.length, plain[0].draftedTokens, drafted.length], [2, 0, 2])
  assert.ok(first.acceptedDrafts <= first.draftedTokens)
  const wrong = { ...asked, classes: [{ rate: 100, start, next: next.toReversed() }] }
  await assert.rejects(call('drafts.js', 'compare', wrong), { message: /in Node: .*token 0 of the text is/ })
})
