// The end of a model in a page: disposal or a crash.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { trappingGlue } from '../support/trapping_glue.mjs'
import { serveSite } from './site.mjs'
import { modules, useBrowser } from './support.mjs'

const { threads, inPage } = useBrowser()

test('dispose ends the worker and its threads', async () => {
  // The glue runs in the worker and in each thread, and takes a lock, which the browser releases when that ends.
  const lock = "navigator.locks.request('alive', { mode: 'shared' }, () => new Promise(() => {}));"
  const site = await serveSite({
    change(dist) {
      for (const simd of modules) {
        const path = join(dist, `heed-${simd}.js`)
        writeFileSync(path, `${lock}\n${readFileSync(path, 'utf8')}`)
      }
    },
  })
  try {
    // Resolves once both counts have been reached.
    await inPage(site, async threads => {
      const untilAlive = async count => {
        while ((await navigator.locks.query()).held.length !== count) {
          await new Promise(resolve => setTimeout(resolve, 10))
        }
      }
      const model = await heed.loadModel(undefined, { threads: 2 })
      await untilAlive(threads)
      await model.dispose()
      await untilAlive(0)
    }, threads.isolated)
  } finally {
    await site.close()
  }
})

test('a trap rejects all pending calls, and the next model works', async () => {
  const [simd] = modules
  const site = await serveSite({
    change(dist) {
      const glue = join(dist, `heed-${simd}.js`)
      writeFileSync(glue, trappingGlue(readFileSync(glue, 'utf8')))
    },
  })
  try {
    const result = await inPage(site, async simd => {
      const options = { simd, threads: 2 }
      const code = promise => promise.then(() => 'fine', error => error.code)
      const model = await heed.loadModel(undefined, options)
      const codes = await Promise.all([
        code(model.generate('Once', { maxTokens: 13 })),
        code(model.tokenize('Once')),
        code(model.generate('Once')),
      ])
      codes.push(await code(model.tokenize('Once')))
      const next = await heed.loadModel(undefined, options)
      const { tokens } = await next.generate('Once', { maxTokens: 3, stopAtEnd: false })
      return { codes, tokens: tokens.length }
    }, simd)
    assert.deepEqual(result, { codes: Array(4).fill('crashed'), tokens: 3 })
  } finally {
    await site.close()
  }
})
