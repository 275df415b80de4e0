#!/bin/sh
# Chromium forgets history.state in the reload that makes a page cross-origin isolated.
#
# Guessed: a reload keeps history.state, as HTML says (the session history entry stays, with its state).
# Seen, with Chromium 153 of @sparticuz/chromium 153.0.0 under Playwright 1.65.1: it is null after the first reload under a service worker
# that adds the headers of isolation, the usual way where a server cannot send them. With the same headers from the server in the first
# place, or a worker that changes no header, it stays; so it does in the next reload:
#
#     worker adds nothing: here, here
#     worker adds COOP and COEP: null, here
#     worker adds Document-Isolation-Policy: null, here
#     server and worker send COOP and COEP: here, here
#
# The navigation is a `reload` and sessionStorage is as it was, so a page can keep its state there (web/keeping/places.ts).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder" # where the browser is unpacked
cd "$folder"
npm install --silent --no-audit --no-fund playwright-core@1.65.1 @sparticuz/chromium@153.0.0
cat > state.mjs <<'END'
import { createServer } from 'node:http'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'

const both = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
const policy = { 'document-isolation-policy': 'isolate-and-require-corp' }

const worker = added => `
  addEventListener('install', () => skipWaiting())
  addEventListener('activate', event => event.waitUntil(clients.claim()))
  addEventListener('fetch', event => event.respondWith(fetch(event.request).then(({ body, headers }) => {
    const changed = new Headers(headers)
    for (const [name, value] of Object.entries(${JSON.stringify(added)})) changed.set(name, value)
    return new Response(body, { headers: changed })
  })))`

const serve = (sent, added) =>
  new Promise(resolve => {
    const server = createServer(({ url }, answer) => {
      const isWorker = url === '/worker.js'
      answer.writeHead(200, { 'content-type': isWorker ? 'text/javascript' : 'text/html', ...sent })
      answer.end(isWorker ? worker(added) : '<!doctype html><title>State</title>')
    }).listen(0, 'localhost', () => resolve(server))
  })

const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox'] })

/** The state after each of two reloads. */
async function states(sent, added) {
  const server = await serve(sent, added)
  const page = await (await browser.newContext()).newPage()
  await page.goto(`http://localhost:${server.address().port}/`)
  await page.evaluate(async () => {
    const claimed = new Promise(resolve => navigator.serviceWorker.addEventListener('controllerchange', resolve))
    await navigator.serviceWorker.register('worker.js')
    await claimed
  })
  const seen = []
  for (let reloads = 0; reloads < 2; reloads++) {
    await page.evaluate(() => history.replaceState('here', ''))
    await page.reload()
    seen.push(await page.evaluate(() => String(history.state)))
  }
  await page.context().close()
  server.close()
  return seen.join(', ')
}

const seen = [
  `worker adds nothing: ${await states({}, {})}`,
  `worker adds COOP and COEP: ${await states({}, both)}`,
  `worker adds Document-Isolation-Policy: ${await states({}, policy)}`,
  `server and worker send COOP and COEP: ${await states(both, both)}`,
].join('\n')
console.log(seen)
await browser.close()
const expected = `worker adds nothing: here, here
worker adds COOP and COEP: null, here
worker adds Document-Isolation-Policy: null, here
server and worker send COOP and COEP: here, here`
process.exit(seen === expected ? 0 : 1)
END
node state.mjs
