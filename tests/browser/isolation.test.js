// heed/isolation in Chromium: the responses that a page gets through its service worker, for every kind of response.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { startChromium } from '../../tools/browsers/chromium.mjs'
import { inRoot } from '../../tools/paths.mjs'
import { browserName } from './support.mjs'

const only = { skip: browserName !== 'chromium' && 'Playwright drives Chromium here' }
const policy = 'document-isolation-policy'
const isolating = 'isolate-and-credentialless'
const bytes = Buffer.from('0123456789')
let own, other, chromium, page

const shared = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}
const elsewhere = { '/text': [200, {}, bytes], '/empty': [204], '/page': [200, { 'Content-Type': 'text/html' }, '<p>other'] }
const here = {
  '/': [
    200,
    { 'Content-Type': 'text/html' },
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>',
  ],
  '/page.js': [
    200,
    { 'Content-Type': 'text/javascript' },
    `import * as isolation from './isolation.js'
    globalThis.isolation = isolation
    globalThis.isolated = await isolation.isolate()`,
  ],
  '/text': [200, {}, bytes],
  '/204': [204],
  '/205': [205],
  '/304': [304, { ETag: '"a"' }],
  '/404': [404, {}, 'none'],
  '/500': [500],
  '/empty': [200, {}, ''],
  '/moved': [302, { Location: '/text' }],
  '/moved-empty': [302, { Location: '/204' }],
}

async function serve(routes, headers = {}) {
  const server = createServer((request, response) => {
    const { range } = request.headers
    const [status, own, body] =
      range && request.url === '/text'
        ? [206, { 'Content-Range': 'bytes 2-4/10' }, bytes.subarray(2, 5)]
        : (routes[request.url] ?? [404])
    response.writeHead(request.method === 'OPTIONS' ? 204 : status, { ...headers, ...own })
    response.end(body)
  }).listen(0)
  await once(server, 'listening')
  return { server, url: `http://localhost:${server.address().port}` }
}

before(async () => {
  if (only.skip) return
  other = await serve(elsewhere, shared)
  here['/away'] = [302, { Location: `${other.url}/text` }]
  here['/away-empty'] = [302, { Location: `${other.url}/empty` }]
  for (const name of ['isolation.js', 'heed-isolation.js']) {
    here[`/${name}`] = [200, { 'Content-Type': 'text/javascript' }, readFileSync(inRoot('dist', name))]
  }
  own = await serve(here)
  chromium = await startChromium()
  page = await chromium.open(own.url)
  await page.waitForFunction(() => globalThis.isolated)
})
after(async () => {
  await chromium?.close()
  for (const site of [own, other]) {
    site?.server.closeAllConnections()
    site?.server.close()
  }
})

const ask = (address, init) =>
  page.evaluate(
    ([address, init, policy]) =>
      fetch(address, init).then(
        async response => [response.status, await response.text(), response.headers.get(policy)],
        error => error.message,
      ),
    [address, init, policy],
  )

/** Of ours: the status, the text and our header; of others: as they sent it, with no header that their server has not exposed. */
const cases = {
  'a file': [() => '/text', {}, [200, '0123456789', isolating]],
  'a part of it': [() => '/text', { headers: { Range: 'bytes=2-4' } }, [206, '234', isolating]],
  'no content': [() => '/204', {}, [204, '', isolating]],
  'no content, to be cleared': [() => '/205', {}, [205, '', isolating]],
  'not modified, for a page that asks itself': [() => '/304', { headers: { 'If-None-Match': '"a"' } }, [304, '', isolating]],
  'an empty file': [() => '/empty', {}, [200, '', isolating]],
  HEAD: [() => '/text', { method: 'HEAD' }, [200, '', isolating]],
  'a file that is not there': [() => '/404', {}, [404, 'none', isolating]],
  'an error without a text': [() => '/500', {}, [500, '', isolating]],
  POST: [() => '/text', { method: 'POST', body: 'x' }, [200, '0123456789', isolating]],
  'a redirect': [() => '/moved', {}, [200, '0123456789', isolating]],
  'a redirect to no content': [() => '/moved-empty', {}, [204, '', isolating]],
  'a redirect that is not followed': [() => '/moved', { redirect: 'manual' }, [0, '', null]],
  'another origin': [() => `${other.url}/text`, {}, [200, '0123456789', null]],
  'a part from another origin': [() => `${other.url}/text`, { headers: { Range: 'bytes=2-4' } }, [206, '234', null]],
  'a redirect to another origin': [() => '/away', {}, [200, '0123456789', null]],
  'a redirect to no content of another origin': [() => '/away-empty', {}, [204, '', null]],
  'an opaque response': [() => `${other.url}/text`, { mode: 'no-cors' }, [0, '', null]],
  'an opaque response after a redirect': [() => '/away', { mode: 'no-cors' }, [0, '', null]],
  'only from the cache': [() => '/never', { cache: 'only-if-cached', mode: 'same-origin' }, 'Failed to fetch'],
}
for (const [name, [address, init, expected]] of Object.entries(cases)) {
  test(`through the service worker: ${name}`, only, async () => assert.deepEqual(await ask(address(), init), expected))
}

test('a frame, a picture and a worker of the page load through it', only, async () => {
  assert.equal(
    await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const frame = document.createElement('iframe')
          frame.onload = () => resolve(frame.contentDocument?.body.textContent)
          frame.onerror = reject
          frame.src = '/404'
          document.body.append(frame)
        }),
    ),
    'none',
  )
})

test('embeds and pop-ups of other sites go on working in a page that a service worker isolates', only, async () => {
  const says = '<!doctype html><script>(opener ?? parent).postMessage(opener ? "pop-up" : "frame", "*")</script>'
  elsewhere['/says'] = [200, { 'Content-Type': 'text/html' }, says]
  const address = `${other.url.replace('localhost', '127.0.0.1')}/says`
  const heard = await page.evaluate(async address => {
    const message = () =>
      new Promise(resolve => addEventListener('message', ({ data, origin }) => resolve([data, origin]), { once: true }))
    const frame = Object.assign(document.createElement('iframe'), { src: address })
    const first = message()
    document.body.append(frame)
    const fromFrame = await first
    const second = message()
    const opened = open(address)
    const fromPopUp = await second
    opened.close()
    return [crossOriginIsolated, fromFrame, fromPopUp]
  }, address)
  const { origin } = new URL(address)
  assert.deepEqual(heard, [true, ['frame', origin], ['pop-up', origin]])
})

test('a policy by its name, and what is none', only, async () => {
  const answers = await page.evaluate(() => {
    const { withIsolation } = globalThis.isolation
    const sent = options => {
      try {
        return Object.fromEntries(withIsolation(new Response('x'), options).headers)
      } catch ({ code, message }) {
        return `${code}: ${message}`
      }
    }
    return [{ policy: 'document' }, { policy: 'cross-origin' }, { policy: 'none' }, { policies: 1 }, null].map(sent)
  })
  const type = { 'content-type': 'text/plain;charset=UTF-8' }
  assert.deepEqual(answers, [
    { ...type, [policy]: isolating },
    {
      ...type,
      'cross-origin-embedder-policy': 'require-corp',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    },
    'invalid-argument: withIsolation: policy: expected document or cross-origin',
    'invalid-argument: withIsolation has no option "policies"; its option is policy',
    'invalid-argument: withIsolation: options: expected an object',
  ])
})

test('unknown options and values other than responses are rejected by name', only, async () => {
  const refusals = await page.evaluate(async () => {
    const { isolate, withIsolation } = globalThis.isolation
    const told = promise =>
      promise.then(
        () => 'none',
        ({ code, message }) => `${code}: ${message}`,
      )
    const calls = [null, 'worker.js', 5, { worker: 'x' }, { serviceWorker: 5 }, { serviceWorker: null }].map(options =>
      told(isolate(options)),
    )
    const responses = [null, undefined, 'x', fetch('/text'), {}].map(response => told((async () => withIsolation(response))()))
    const read = new Response('x'),
      locked = new Response('x')
    await read.text()
    locked.body.getReader()
    const used = [read, locked].map(response => told((async () => withIsolation(response))()))
    return [await Promise.all(calls), await Promise.all(responses), await Promise.all(used)]
  })
  const [calls, responses, used] = refusals
  assert.deepEqual(calls, [
    ...Array(3).fill('invalid-argument: isolate: options: expected an object'),
    'invalid-argument: isolate has no option "worker"; its option is serviceWorker',
    ...Array(2).fill('invalid-argument: isolate: serviceWorker: expected a URL'),
  ])
  assert.deepEqual(responses, Array(5).fill('invalid-argument: withIsolation: expected a Response, such as fetch resolves to'))
  assert.deepEqual(used, Array(2).fill('invalid-argument: withIsolation: the body of the response has been read'))
})
