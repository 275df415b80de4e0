// Models that a page stores: downloads that resume after any interruption, tabs that share them, and a full disk.
// HEED_DOWNLOAD_MB: the size of the file that is interrupted forty times (default: 20).
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { defaultModelBytes } from '../package/support.mjs'
import { blankModel, sha256, splitModel } from '../support/gguf_files.mjs'
import { startHub } from '../support/hub/index.mjs'
import { randomFrom } from '../store/support.mjs'
import { serveSite } from './site.mjs'
import { browserName, useBrowser } from './support.mjs'

const { sites, inPage, openPage } = useBrowser()
const keepsFiles = { skip: browserName === 'webkit' && 'WebKitGTK keeps no files for pages' }
const stories = defaultModelBytes()
const megabytes = Number(process.env.HEED_DOWNLOAD_MB ?? 20)
const large = blankModel(megabytes * 1e6)
const parts = splitModel(stories, 3, 'stories-Q4_K_M')
let hub, load

before(async () => {
  hub = await startHub({ 'heed/large': { 'large.gguf': large }, 'heed/stories': { 'stories-Q8_0.gguf': stories, ...parts } })
  load = { hub: { endpoint: hub.endpoint }, stallTimeout: 1000 }
})
beforeEach(async () => {
  await inPage(sites.isolated, () => heed.modelStore.clear())
  Object.assign(hub, { token: undefined, behavior: {}, breaks: [], refusals: [], requests: [], served: 0 })
})
after(() => hub.close())

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Waits until a function in a page returns a value, and resolves to it. */
async function waitFor(page, body, argument) {
  for (;;) {
    const result = await page.evaluate(body, argument)
    if (result !== undefined && result !== null) return result
    await sleep(20)
  }
}

test('forty breaks at random positions: resets, stalls, no network, killed workers, closed tabs', {
  ...keepsFiles,
  timeout: 900_000,
}, async t => {
  const random = randomFrom(4)
  let fate
  let failures = 0 // of calls that start without a network
  const hows = [
    'reset',
    'end',
    'stall',
    () => hub.unplug(500),
    () => {
      fate = 'abort'
    },
    () => {
      fate = 'close'
    },
  ] // an abort kills the worker
  hub.behavior.bytesPerMs = 1e5
  hub.breaks = Array.from({ length: 40 }, (_, index) => ({
    at: Math.floor(random() * large.length),
    how: hows[index % hows.length],
  }))
  let page = await openPage(sites.isolated)
  const download = () =>
    page.evaluate(options => {
      window.outcome = undefined
      window.controller = new AbortController()
      heed.modelStore.download('hf:heed/large/large.gguf', { ...options, signal: window.controller.signal }).then(
        ({ sha256: sum }) => {
          window.outcome = sum
        },
        error => {
          window.outcome = `${error.code}: ${error.message}`
        },
      )
    }, load)
  await download()
  for (;;) {
    const outcome = await page.evaluate(() => window.outcome)
    const isOffline = outcome?.startsWith('network') && ++failures <= 7
    if (outcome && !isOffline && !outcome.startsWith('aborted')) {
      assert.equal(outcome, sha256(large))
      break
    }
    if (isOffline) await sleep(500)
    if (outcome) await download()
    else if (fate === 'abort') await page.evaluate(() => window.controller.abort())
    else if (fate === 'close') {
      await page.close()
      page = await openPage(sites.isolated)
      await download()
    }
    fate = undefined
    await sleep(20)
  }
  const [{ complete }] = await page.evaluate(() => heed.modelStore.list())
  await page.close()
  assert.equal(complete, true)
  assert.deepEqual(hub.breaks, [])
  t.diagnostic(`${hub.served} bytes for a file of ${large.length}: ${(hub.served / large.length).toFixed(3)} times`)
  assert.ok(hub.served <= 1.02 * large.length + 40 * 2 ** 20, `${hub.served} bytes were sent for ${large.length}`)
})

/** Runs in a page: loads a model and records its text. */
const write = options => {
  window.phases = []
  heed
    .loadModel('hf:heed/stories:Q8_0', { ...options, cache: true, onProgress: ({ phase }) => window.phases.push(phase) })
    .then(model => model.generate('Once', { maxTokens: 5, seed: 1 }))
    .then(
      ({ text }) => {
        window.text = text
      },
      error => {
        window.text = `${error.code}: ${error.message}`
      },
    )
}

test('two tabs and a worker that load at the same time share one download', keepsFiles, async () => {
  const expected = await inPage(
    sites.isolated,
    async () => (await (await heed.loadModel()).generate('Once', { maxTokens: 5, seed: 1 })).text,
  )
  hub.behavior.bytesPerMs = 3000
  const tabs = [await openPage(sites.isolated), await openPage(sites.isolated)]
  for (const tab of tabs) await tab.evaluate(write, load)
  await tabs[1].evaluate(options => {
    const worker = new Worker('inner.js', { type: 'module' })
    worker.onmessage = ({ data }) => {
      window.inner = data.text
    }
    worker.onerror = ({ message }) => {
      window.inner = message
    }
    worker.postMessage({
      source: 'hf:heed/stories:Q8_0',
      load: { ...options, cache: true },
      prompt: 'Once',
      options: { maxTokens: 5, seed: 1 },
    })
  }, load)
  const texts = []
  for (const tab of tabs) texts.push(await waitFor(tab, () => window.text))
  texts.push(await waitFor(tabs[1], () => window.inner))
  assert.deepEqual(texts, Array(3).fill(expected))
  assert.equal(hub.served, stories.length)
  const phases = []
  for (const tab of tabs) phases.push(await tab.evaluate(() => window.phases))
  assert.ok(
    phases.some(seen => seen.includes('wait')),
    "nobody was told of another tab's progress",
  )
  for (const tab of tabs) await tab.close()
})

test('if the downloading tab is closed, the waiting one resumes the download', keepsFiles, async () => {
  let isHalf = false
  hub.behavior.bytesPerMs = 400 // so that a busy browser stores about as fast as the hub sends
  hub.breaks = [
    {
      at: 1.5e6,
      how: () => {
        isHalf = true
      },
    },
  ]
  const first = await openPage(sites.isolated)
  const second = await openPage(sites.isolated)
  await first.evaluate(write, load)
  await waitFor(first, () => window.phases.includes('download') || undefined)
  await second.evaluate(write, load)
  while (!isHalf) await sleep(10)
  await first.close()
  assert.doesNotMatch(await waitFor(second, () => window.text), /: /)
  assert.ok(hub.served <= stories.length + 2 ** 20 + 2e5, `${hub.served} bytes were sent`)
  await second.close()
})

test('a tab that holds the lock and says nothing, as frozen ones do: a time limit that names it', keepsFiles, async () => {
  const source = 'hf:heed/stories:Q8_0'
  hub.behavior.bytesPerMs = 1000
  const lock = await inPage(
    sites.isolated,
    async ([source, options]) => {
      const held = new Set()
      const onProgress = async () => {
        for (const { name } of (await navigator.locks.query()).held) held.add(name)
      }
      await heed.modelStore.download(source, { ...options, onProgress })
      await heed.modelStore.delete(source, { hub: options.hub })
      return [...held].join()
    },
    [source, load],
  )
  assert.match(lock, /^heed-store:[0-9a-f]{32}$/)
  const silent = await openPage(sites.isolated)
  await silent.evaluate(
    name =>
      new Promise(isHeld => {
        navigator.locks.request(
          name,
          () =>
            new Promise(release => {
              window.release = release
              isHeld()
            }),
        )
      }),
    lock,
  )
  try {
    const { refused, notices, ...found } = await inPage(
      sites.isolated,
      async ([source, options]) => {
        const refused = await heed.modelStore
          .download(source, { ...options, stallTimeout: 50 })
          .catch(({ code, message }) => `${code}: ${message}`)
        const notices = []
        const model = await heed.loadModel(source, {
          ...options,
          cache: true,
          stallTimeout: 250,
          onProgress: ({ notice }) => notice && notices.push(notice),
        })
        const { tokens } = await model.generate('Once', { maxTokens: 3, stopAtEnd: false })
        return { refused, notices, tokens: tokens.length, list: await heed.modelStore.list() }
      },
      [source, load],
    )
    assert.match(refused, new RegExp(`^io: Another tab holds the model's lock, ${lock}, and has reported nothing for 1 s`))
    assert.match(notices.join(), /^Not stored: Another tab holds .* for 5 s/)
    assert.deepEqual(found, { tokens: 3, list: [] })
    await silent.evaluate(() => window.release())
    const { complete } = await silent.evaluate(([source, options]) => heed.modelStore.download(source, options), [source, load])
    assert.equal(complete, true)
  } finally {
    await silent.close()
  }
})

test('stored models load without a network, also split and imported ones', keepsFiles, async () => {
  const result = await inPage(
    sites.isolated,
    async options => {
      const ids = [1, 5, 9]
      const sum = async model => {
        const logits = await model.logits(ids, { positions: 'all' })
        await model.dispose()
        return logits.join()
      }
      const expected = await sum(await heed.loadModel())
      const blob = await (await fetch('dist/heed-stories.gguf')).blob()
      await heed.modelStore.import(new File([blob], 'fox.gguf'))
      await heed.modelStore.download('hf:heed/stories:Q8_0', options)
      const set = await sum(await heed.loadModel('hf:heed/stories:Q4_K_M', { ...options, cache: true }))
      globalThis.fetch = window.fetch = () => {
        throw new Error('there is no network')
      }
      const same = [set === expected]
      for (const source of ['hf:heed/stories:Q8_0', 'hf:heed/stories:Q4_K_M', 'store:fox.gguf']) {
        same.push((await sum(await heed.loadModel(source, { ...options, cache: true }))) === expected)
      }
      // and concurrently
      const models = await Promise.all([0, 1, 2].map(() => heed.loadModel('hf:heed/stories:Q8_0', { ...options, cache: true })))
      for (const model of models) same.push((await sum(model)) === expected)
      const list = await heed.modelStore.list()
      const { models: bytes } = await heed.modelStore.estimate()
      const deleted = await heed.modelStore.delete('hf:heed/stories:Q8_0', { hub: options.hub })
      const left = (await heed.modelStore.list()).length
      const pruned = (await heed.modelStore.prune({ keepBytes: 0 })).length
      return { same, names: list.map(({ name }) => name).sort(), bytes, deleted, left, pruned }
    },
    load,
  )
  const bytes = 2 * stories.length + Object.values(parts).reduce((sum, part) => sum + part.length, 0)
  assert.deepEqual(result, {
    same: Array(7).fill(true),
    names: ['fox.gguf', 'stories-Q4_K_M.gguf', 'stories-Q8_0.gguf'],
    bytes,
    deleted: true,
    left: 2,
    pruned: 2,
  })
})

test('hashes are right for files of any length', keepsFiles, async () => {
  const header = blankModel(0)
  const lengths = [0, 1, 54, 55, 56, 57, 62, 63].map(rest => 128 * 64 + rest).concat(65535, 65536, 65537, 200_000)
  const files = lengths.map(length => Buffer.concat([header, Buffer.alloc(length - header.length, 'sum')]))
  const sums = await inPage(
    sites.isolated,
    async files => {
      const sums = []
      for (const text of files) {
        const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
        sums.push((await heed.modelStore.import(new File([bytes], 'sum.gguf'))).sha256)
      }
      return sums
    },
    files.map(bytes => bytes.toString('base64')),
  )
  assert.deepEqual(sums, files.map(sha256))
})

test('the token is sent only to the hub', keepsFiles, async () => {
  hub.token = 'hf_abcdefghijklmnop'
  const kept = await inPage(
    sites.isolated,
    async options => {
      const model = await heed.loadModel('hf:heed/stories:Q8_0', { ...options, cache: true })
      await model.dispose()
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('heed-models')
      const texts = []
      for await (const [name, file] of folder) if (name.endsWith('.journal')) texts.push(name, await (await file.getFile()).text())
      return texts.join()
    },
    { ...load, hub: { ...load.hub, token: hub.token } },
  )
  assert.match(kept, /stories/)
  assert.ok(!kept.includes(hub.token))
  assert.ok(hub.requests.some(({ origin, headers }) => origin === 'hub' && headers.authorization))
  for (const { origin, url, headers } of hub.requests) {
    assert.ok(!url.includes('hf_'))
    if (origin === 'storage') assert.equal(headers.authorization, undefined)
  }
})

test('a model loads even if it cannot be stored, with a notice', async () => {
  const privately = dist => {
    // as in a private window
    const worker = join(dist, 'heed-worker.js')
    writeFileSync(
      worker,
      `delete globalThis.FileSystemFileHandle?.prototype.createSyncAccessHandle;${readFileSync(worker, 'utf8')}`,
    )
  }
  const site = await serveSite({ change: privately })
  try {
    const { notices, ...result } = await inPage(
      site,
      async options => {
        const notices = []
        const model = await heed.loadModel('hf:heed/stories:Q8_0', {
          ...options,
          cache: true,
          onProgress: ({ notice }) => notice && notices.push(notice),
        })
        const { tokens } = await model.generate('Once', { maxTokens: 3, stopAtEnd: false })
        const { code } = await heed.modelStore.download('hf:heed/stories:Q8_0', options).catch(error => error)
        return { tokens: tokens.length, notices, code, list: await heed.modelStore.list() }
      },
      load,
    )
    assert.deepEqual(result, { tokens: 3, code: 'unsupported', list: [] })
    assert.match(notices.at(-1), /^Not stored: ./) // others may be about threads
  } finally {
    await site.close()
  }
})

test('over quota: reports how much is missing, and the model runs', {
  skip: browserName !== 'chromium' && 'only Chromium lets a test set it',
}, async () => {
  const chromium = await startChromium()
  try {
    const page = await chromium.open(sites.isolated.url)
    await page.waitForFunction(() => globalThis.heed)
    const session = await chromium.context.newCDPSession(page)
    const limit = quotaSize =>
      session.send('Storage.overrideQuotaForOrigin', { origin: new URL(sites.isolated.url).origin, quotaSize })
    const attempt = ([source, options]) =>
      page.evaluate(
        async ([source, options]) => {
          const notices = []
          const before = await heed.modelStore.download(source, options).then(
            () => 'kept',
            ({ code, message }) => `${code}: ${message}`,
          )
          const model = await heed.loadModel(source, {
            ...options,
            cache: true,
            onProgress: ({ notice }) => notice && notices.push(notice),
          })
          const { tokens } = await model.generate('Once', { maxTokens: 3, stopAtEnd: false })
          await model.dispose()
          return { before, notices, tokens: tokens.length, list: await heed.modelStore.list() }
        },
        [source, options],
      )
    await limit(2e6) // Chromium allocates files in steps of 1 MiB
    for (const source of ['hf:heed/stories:Q8_0', hub.address('heed/stories', 'stories-Q8_0.gguf'), 'hf:heed/stories:Q4_K_M']) {
      hub.served = 0
      hub.behavior.bytesPerMs = 3000
      const { before, notices, tokens, list } = await attempt([source, load])
      assert.match(before, /^out-of-space: storing the model needs \d MB.*; \d MB more are needed$/, source)
      assert.match(notices.join(), /^Not stored: storing the model needs \d MB.* more are needed$/)
      assert.deepEqual([tokens, list], [3, []])
      assert.ok(hub.served < stories.length * 1.9, `${hub.served} bytes were sent`)
    }
    await limit(1e8)
    assert.equal((await attempt(['hf:heed/stories:Q8_0', load])).before, 'kept')

    const importAs = (name, bytes) =>
      page.evaluate(
        async ([name, text]) => {
          const file = new File([Uint8Array.from(atob(text), letter => letter.charCodeAt(0))], name)
          const result = await heed.modelStore.import(file).then(
            () => 'kept',
            ({ code }) => code,
          )
          const { models } = await heed.modelStore.estimate()
          return { result, models, sums: (await heed.modelStore.list()).map(({ sha256 }) => sha256) }
        },
        [name, bytes.toString('base64')],
      )
    const [small, tooLarge] = [2e6, 4e6].map((size, seed) => blankModel(size, seed))
    const kept = await importAs('fox.gguf', small)
    assert.deepEqual(kept, { result: 'kept', models: stories.length + small.length, sums: [sha256(small), sha256(stories)] })
    await limit((await page.evaluate(async () => (await navigator.storage.estimate()).usage)) + 5e5)
    for (const name of ['fox.gguf', 'wolf.gguf'])
      assert.deepEqual(await importAs(name, tooLarge), { ...kept, result: 'out-of-space' })
  } finally {
    await chromium.close()
  }
})
