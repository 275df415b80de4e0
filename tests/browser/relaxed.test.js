// Relaxed SIMD and 64-bit memory are used where the browser has them and they are right; each engine's answers (docs/contributing/speed.md).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBuilt } from '../support/modules.mjs'
import { hasMemory64, relaxedAnswers } from '../support/relaxed_answers.mjs'
import { useBrowser } from './support.mjs'

const { sites, inPage } = useBrowser()
const targets = { signed: 'relaxed-sdot', unsigned: 'relaxed-usdot', saturating: 'relaxed-sat' }

test('relaxed SIMD is used where its answers are exact, the same after many calls, and of a class that the kernels know', async t => {
  const answers = await inPage(sites.isolated, relaxedAnswers)
  const memory64 = await inPage(sites.isolated, hasMemory64)
  t.diagnostic(JSON.stringify({ agent: await inPage(sites.isolated, () => navigator.userAgent), ...answers, memory64 }))
  const target = answers?.isExact && answers.isSteady ? targets[answers.dot] : undefined
  const info = await inPage(sites.isolated, async () => {
    const model = await heed.loadModel(undefined, { threads: 1 })
    await model.dispose()
    return model.info
  })
  assert.deepEqual([info.simd, info.target], target && isBuilt('relaxed') ? ['relaxed', target] : ['simd128', 'simd128'])
})

test('64-bit memory is used where it and relaxed SIMD are', async () => {
  const has = await inPage(sites.isolated, hasMemory64)
  const { simd, code } = await inPage(sites.isolated, async () => {
    const { info } = await heed.loadModel(undefined, { threads: 1 })
    const error = await describe(heed.loadModel(undefined, { threads: 1, memory64: true }))
    return { simd: info.simd, code: error.code }
  })
  if (has && simd === 'relaxed') assert.ok(code === undefined || !isBuilt('memory64'), code)
  else assert.equal(code, 'unsupported')
})
