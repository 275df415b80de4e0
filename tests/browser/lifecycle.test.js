// The end of a model in a page: disposal or a crash.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { changedGlue } from '../support/changed_glue.mjs'
import { trappingGlue } from '../support/trapping_glue.mjs'
import { serveSite } from './site.mjs'
import { browserName, modules, useBrowser } from './support.mjs'

const { threads, inPage } = useBrowser()

/** Changes each of these scripts of the package. */
const changing =
  (change, ...names) =>
  dist => {
    for (const name of names) {
      const path = join(dist, name)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    }
  }
const before = (code, ...names) => changing(script => `${code}\n${script}`, ...names)
const glues = modules.map(simd => `heed-${simd}.js`)

/** The glue runs in the worker and in each thread, and takes a lock, which the browser releases when that ends. */
const alive = before("navigator.locks.request('alive', { mode: 'shared' }, () => new Promise(() => {}));", ...glues)

test('dispose ends the worker and its threads', async () => {
  const site = await serveSite({ change: alive })
  try {
    // Resolves once both counts have been reached.
    await inPage(
      site,
      async threads => {
        const untilAlive = async count => {
          while ((await navigator.locks.query()).held.length !== count) {
            await new Promise(resolve => setTimeout(resolve, 10))
          }
        }
        const model = await heed.loadModel(undefined, { threads: 2 })
        await untilAlive(threads)
        await model.dispose()
        await untilAlive(0)
      },
      threads.isolated,
    )
  } finally {
    await site.close()
  }
})

test('many models one after another: the memory of each is free before the next asks for it', async () => {
  const site = await serveSite({ change: alive })
  try {
    const mostAlive = await inPage(site, async () => {
      let most = 0
      for (let left = 40; left > 0; left--) {
        const model = await heed.loadModel(undefined, { threads: 2 })
        most = Math.max(most, (await navigator.locks.query()).held.length)
        if (left % 2) await model.dispose()
        else void model.dispose() // the next load waits for it
      }
      return most
    })
    // Chromium lets a thread that it ends on its own live for seconds, with the memory that it shares.
    if (browserName === 'chromium') assert.ok(mostAlive <= 2 * threads.isolated, `${mostAlive} workers were alive`)
  } finally {
    await site.close()
  }
})

test('the page never has a view of the memory of an engine, which would last until a garbage collection', async () => {
  const site = await serveSite()
  try {
    const { shared, aborted } = await inPage(site, async () => {
      const shared = new Set()
      const collect = value => {
        if (typeof SharedArrayBuffer === 'undefined' || typeof value !== 'object' || value === null) return
        if (value instanceof SharedArrayBuffer) shared.add(value)
        else if (ArrayBuffer.isView(value)) collect(value.buffer)
        else Object.values(value).forEach(collect)
      }
      const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data')
      Object.defineProperty(MessageEvent.prototype, 'data', {
        get() {
          const data = get.call(this)
          collect(data)
          return data
        },
      })
      const model = await heed.loadModel()
      const abort = new AbortController()
      const generation = model.generate('Once', { maxTokens: 200, stopAtEnd: false, signal: abort.signal })
      for await (const _ of generation) abort.abort()
      const { finishReason } = await generation
      await model.dispose()
      return { shared: [...shared].map(({ byteLength }) => byteLength), aborted: finishReason }
    })
    assert.equal(aborted, 'abort')
    assert.deepEqual(shared, threads.isolated > 1 ? [1] : [])
  } finally {
    await site.close()
  }
})

test('dispose of a model that is computing ends it', async () => {
  const site = await serveSite({ change: alive })
  try {
    await inPage(site, async () => {
      const model = await heed.loadModel(undefined, { threads: 2 })
      const failures = [
        model.generate('Once', { maxTokens: 1e3, stopAtEnd: false }),
        model.logits([...Array(400).keys()], { positions: 'all' }),
      ].map(call =>
        call.then(
          () => 'fine',
          error => error.code,
        ),
      )
      await model.dispose()
      const codes = await Promise.all(failures)
      if (codes.join() !== 'disposed,disposed') throw new Error(codes.join())
      while ((await navigator.locks.query()).held.length > 0) await new Promise(resolve => setTimeout(resolve, 10))
    })
  } finally {
    await site.close()
  }
})

/** The glue with readings that never end; its engine reports when one begins, and how many are left when the engine is freed. */
const endless = script =>
  changedGlue(
    script,
    `
    const readings = new BroadcastChannel('readings')
    const begun = new Set()
    const { read, delete: free } = module.Engine.prototype
    module.Engine.prototype.read = function () {
      const reading = read.call(this)
      begun.add(reading)
      readings.postMessage('begun')
      return reading
    }
    module.DecoderRun.prototype.forward = () => null  // as if it were interrupted
    module.Engine.prototype.delete = function () {
      readings.postMessage([...begun].filter(reading => !reading.isDeleted()).length)
      free.call(this)
    }`,
  )

test('the readings of calls are freed before their engine', async () => {
  const site = await serveSite({
    change: dist => {
      alive(dist)
      changing(endless, ...glues)(dist)
    },
  })
  try {
    const left = await inPage(site, async () => {
      const told = []
      let onBegun
      const begun = new Promise(resolve => {
        onBegun = resolve
      })
      new BroadcastChannel('readings').onmessage = ({ data }) => (data === 'begun' ? onBegun() : told.push(data))
      const model = await heed.loadModel(undefined, { threads: 2 })
      const reading = model.logits('Once').then(
        () => 'fine',
        error => error.code,
      )
      await begun
      await model.dispose()
      if ((await reading) !== 'disposed') throw new Error(await reading)
      while ((await navigator.locks.query()).held.length > 0) await new Promise(resolve => setTimeout(resolve, 10))
      return told
    })
    assert.deepEqual(
      left.filter(count => count > 0),
      [],
    ) // an engine that is not freed in time reports nothing
  } finally {
    await site.close()
  }
})

test('a load waits for memory that another worker, which is ending, still has', async () => {
  const scarce = `{
    let refusals = 30
    const { Memory } = WebAssembly
    WebAssembly.Memory = class extends Memory {
      constructor(descriptor) {
        if (descriptor.shared && refusals-- > 0) throw new RangeError('could not allocate memory')
        super(descriptor)
      }
    }
  }`
  const site = await serveSite({ change: before(scarce, 'heed-worker.js') })
  try {
    const ids = await inPage(site, async () => (await heed.loadModel()).tokenize('Once'))
    assert.ok(ids.length > 0)
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
    const result = await inPage(
      site,
      async simd => {
        const options = { simd, threads: 2 }
        const code = promise =>
          promise.then(
            () => 'fine',
            error => error.code,
          )
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
      },
      simd,
    )
    assert.deepEqual(result, { codes: Array(4).fill('crashed'), tokens: 3 })
  } finally {
    await site.close()
  }
})
