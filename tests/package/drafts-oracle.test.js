// Greedy texts with drafts of every kind in ../shared, in the package: those of llama.cpp with the same drafts, and without any. The
// heads' logits, and which tokens are drafted, are compared natively (`heed drafts`, `heed draft-loop`).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { forcing, modules, needsShared, sharedFile, withModel } from './support.mjs'

const json = (...path) => JSON.parse(readFileSync(sharedFile('drafts', ...path), 'utf8'))

if (needsShared.skip) test('drafts of every kind as WebAssembly', needsShared)
else {
  const kinds = new Set()
  for (const [name, { kind, target, draft }] of Object.entries(json('index.json').loops)) {
    const { tokens, generated, plain } = json('ref', `${name}.json`)
    kinds.add(kind)
    for (const module of modules)
      test(`${name}: ${module}`, () => {
        const files = { draft: draft ? sharedFile('drafts', draft) : true, kvCache: 'f32', contextLength: 256, threads: 2 }
        return withModel(sharedFile('drafts', target), { ...forcing(module), ...files }, async model => {
          const write = async speculate => {
            const options = { maxTokens: generated.length, temperature: 0, stopAtEnd: false, speculate }
            const { tokens: written, timings } = await model.generate(tokens, options)
            assert.deepEqual(
              written.map(({ id }) => id),
              speculate === 'off' ? plain : generated,
            )
            return timings.draftedTokens
          }
          assert.equal(await write('off'), 0)
          let drafted = 0
          for (let texts = 0; texts < 8 && drafted === 0; texts++) drafted = await write('auto')
          assert.ok(drafted > 0)
        })
      })
  }
  test('every kind of drafts is among them', () =>
    assert.deepEqual([...kinds].sort(), ['chain', 'dflash', 'eagle3', 'mtp', 'shared', 'simple']))
}
