// Chromium's private windows: files whose handles return errors as numbers, under a quota, and beside a tab whose data is deleted.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { defaultModelBytes } from '../package/support.mjs'
import { blankModel, sha256 } from '../support/gguf_files.mjs'
import { startHub } from '../support/hub/index.mjs'
import { serveSite } from './site.mjs'
import { browserName } from './support.mjs'

const only = { skip: browserName !== 'chromium' && 'only Chromium has such handles, and lets a test set the quota' }
const stories = defaultModelBytes()
let hub, site, chromium, page, session, load

const origin = () => new URL(site.url).origin
const limit = quotaSize => session.send('Storage.overrideQuotaForOrigin', { origin: origin(), quotaSize })
const opened = async () => {
  const page = await chromium.open(site.url)
  await page.waitForFunction(() => globalThis.heed)
  return page
}

before(async () => {
  if (only.skip) return
  hub = await startHub({ 'heed/stories': { 'stories-Q8_0.gguf': stories } })
  load = { hub: { endpoint: hub.endpoint }, stallTimeout: 1000 }
  site = await serveSite()
  chromium = await startChromium({ isPrivate: true })
  page = await opened()
  session = await chromium.context.newCDPSession(page)
})
beforeEach(async () => {
  if (only.skip) return
  await limit(1e8)
  await page.evaluate(() => heed.modelStore.clear())
})
after(async () => {
  await chromium?.close()
  await site?.close()
  await hub?.close()
})

/** Imports files, {name: bytes}, at once; resolves to the outcome of each, and the sums of the complete models. */
const importAll = files =>
  page.evaluate(
    async files => {
      const results = await Promise.all(
        files.map(([name, text]) => {
          const file = new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], name)
          return heed.modelStore.import(file).then(
            ({ sha256 }) => sha256,
            ({ code }) => code,
          )
        }),
      )
      return { results, sums: (await heed.modelStore.list()).map(({ complete, sha256 }) => complete && sha256).sort() }
    },
    Object.entries(files).map(([name, bytes]) => [name, bytes.toString('base64')]),
  )

test('an import that exceeds the quota: out-of-space, and the earlier model of its name stays', only, async () => {
  const [small, large] = [1e6, 4e6].map((size, seed) => blankModel(size, seed))
  const kept = { results: [sha256(small)], sums: [sha256(small)] }
  assert.deepEqual(await importAll({ 'fox.gguf': small }), kept)
  await limit(3e6)
  for (const name of ['fox.gguf', 'wolf.gguf'])
    assert.deepEqual(await importAll({ [name]: large }), { ...kept, results: ['out-of-space'] })
  await limit(1e8)
  assert.deepEqual(await importAll({ 'fox.gguf': large }), { results: [sha256(large)], sums: [sha256(large)] })
})

test('imports at once that exceed the quota together: those that resolve are whole', only, async () => {
  const files = Object.fromEntries([1, 2, 3].map(seed => [`noise-${seed}.gguf`, blankModel(2e6, seed)]))
  await limit(4.5e6)
  const { results, sums } = await importAll(files)
  const expected = Object.values(files).map(sha256)
  results.forEach((result, index) => assert.ok([expected[index], 'out-of-space'].includes(result), result))
  assert.ok(results.includes('out-of-space'))
  assert.deepEqual(sums, results.filter(result => result !== 'out-of-space').sort())
})

test('over quota: a download says how much is missing, and a load gives the model with a notice', only, async () => {
  await limit(2e6)
  for (const source of ['hf:heed/stories:Q8_0', hub.address('heed/stories', 'stories-Q8_0.gguf')]) {
    const { before, notices, tokens, list } = await page.evaluate(
      async ([source, options]) => {
        const before = await heed.modelStore.download(source, options).then(
          () => 'kept',
          ({ code, message }) => `${code}: ${message}`,
        )
        const notices = []
        const model = await heed.loadModel(source, {
          ...options,
          cache: true,
          onProgress: ({ notice }) => notice && notices.push(notice),
        })
        const { tokens } = await model.generate('Once', { maxTokens: 3, stopAtEnd: false })
        await model.dispose()
        return { before, notices, tokens: tokens.length, list: await heed.modelStore.list() }
      },
      [source, load],
    )
    assert.match(before, /^out-of-space: storing the model needs \d MB.*; \d MB more are needed$/, source)
    assert.match(notices.join(), /^Not stored: storing the model needs \d MB.* more are needed$/)
    assert.deepEqual([tokens, list], [3, []])
  }
})

test('loads beside a tab that clears the store, and while the browser deletes the data: the model, or `io`', only, async () => {
  const bytes = stories.toString('base64')
  const outcomes = new Set()
  const clearing = await opened()
  for (let round = 0; round < 12; round++) {
    await page.evaluate(async text => {
      await heed.modelStore.import(new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], 'fox.gguf'))
    }, bytes)
    const loaded = page.evaluate(() =>
      heed.loadModel('store:fox.gguf').then(
        async model => {
          const { tokens } = await model.generate('Once', { maxTokens: 3, stopAtEnd: false })
          await model.dispose()
          return `${tokens.length} tokens`
        },
        ({ code, message }) => (code === 'io' ? code : `${code}: ${message}`),
      ),
    )
    const cleared =
      round % 2
        ? clearing.evaluate(() => heed.modelStore.clear().catch(({ code }) => code))
        : session.send('Storage.clearDataForOrigin', { origin: origin(), storageTypes: 'file_systems' })
    const [outcome] = await Promise.all([loaded, cleared])
    outcomes.add(outcome)
  }
  for (const outcome of outcomes) assert.ok(['3 tokens', 'io'].includes(outcome), outcome)
  await page.evaluate(() => heed.modelStore.list())
})

test('a file deleted while it is read through a handle: the model loads, or `io`', only, async () => {
  const outcome = await page.evaluate(async text => {
    const root = await navigator.storage.getDirectory()
    const handle = await root.getFileHandle('own.gguf', { create: true })
    const file = await handle.createWritable()
    await file.write(Uint8Array.from(atob(text), letter => letter.charCodeAt(0)))
    await file.close()
    const model = await heed.loadModel(handle)
    await model.dispose()
    await root.removeEntry('own.gguf')
    return heed.loadModel(handle).then(
      () => 'loaded',
      ({ code }) => code,
    )
  }, stories.toString('base64'))
  assert.equal(outcome, 'io')
})
