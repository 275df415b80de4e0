// The end of a model: disposed of, crashed, or forgotten.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { loadModel } from 'heed'
import { inRoot } from '../../tools/paths.mjs'
import { trappingGlue } from '../support/trapping_glue.mjs'
import { rejectsWith, withModel } from './support.mjs'

test('dispose fails what is under way and what comes later, and can be repeated', async () => {
  const model = await loadModel()
  const running = model.generate('Once', { maxTokens: 400, stopAtEnd: false })
  const waiting = model.tokenize('Once')
  await model.dispose()
  await model.dispose()
  await rejectsWith('disposed', /./, running)
  await rejectsWith('disposed', /./, waiting)
  await rejectsWith('disposed', /./, model.logits([1]))
  await rejectsWith('disposed', /./, async () => {
    for await (const _ of model.generate('Once')) assert.fail('a token of a model that is gone')
  })
})

test('a trap fails everything outstanding, and the next model works', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heed-trap-'))
  try {
    cpSync(inRoot('dist'), folder, { recursive: true })
    const glue = join(folder, 'heed-simd128.js')
    writeFileSync(glue, trappingGlue(readFileSync(glue, 'utf8')))
    const trapping = await import(join(folder, 'index.node.js'))
    const options = { simd: 'simd128' }
    const model = await trapping.loadModel(undefined, options)
    const calls = [model.generate('Once', { maxTokens: 13 }), model.tokenize('Once'), model.generate('Once')]
    for (const call of calls) await rejectsWith('crashed', /unreachable/, call)
    await rejectsWith('crashed', /unreachable/, model.tokenize('Once'))
    await model.dispose()
    const next = await trapping.loadModel(undefined, options)
    assert.equal((await next.generate('Once', { maxTokens: 2, stopAtEnd: false })).tokens.length, 2)
    await next.dispose()
  } finally {
    rmSync(folder, { recursive: true })
  }
})

const script = body =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', body], { cwd: inRoot() })

test('a model that is idle does not keep the process alive', async () => {
  const { stdout } = await script(`
    import { loadModel } from 'heed'
    const model = await loadModel(undefined, { threads: 2 })
    console.log((await model.generate('Once', { maxTokens: 4, stopAtEnd: false })).tokens.length)`)
  assert.equal(stdout, '4\n')
})

test('an error that only a loop sees is not an unhandled rejection', async () => {
  const { stdout } = await script(`
    import { loadModel } from 'heed'
    const model = await loadModel()
    try {
      for await (const token of model.generate('', { addSpecial: false })) console.log(token)
    } catch (error) {
      console.log(error.code)
    }`)
  assert.equal(stdout, 'invalid-argument\n')
})

test('gives back memory: many models one after the other', async () => {
  for (let i = 0; i < 20; i++) await withModel(undefined, { threads: 2 }, model => model.tokenize('Once'))
})
