#!/bin/sh
# A compiled WebAssembly module that a page broadcasts to its own workers arrives as null, and nothing says why.
#
# Guessed: BroadcastChannel sends what postMessage sends. Where it cannot, the sender's postMessage throws (DataCloneError), or the receiver
# gets `messageerror`, as HTML says for a module or a shared memory that reaches another agent cluster. A page and its workers are one.
# Seen, with Chromium 153 of @sparticuz/chromium 153.0.0 under Playwright 1.65.1, in a page that is cross-origin isolated, with its worker:
#
#     WebAssembly.Module: posted arrives, broadcast is null, to a SharedWorker messageerror
#     WebAssembly.Memory (shared): posted arrives, broadcast is null, to a SharedWorker messageerror
#     an object with a module and a number: posted arrives, broadcast is null, to a SharedWorker messageerror
#     ArrayBuffer: posted arrives, broadcast arrives, to a SharedWorker arrives
#
# The event is a `message` like any other, with null for the whole of its data, the number too. So an engine that compiles once and
# broadcasts the module to a pool of workers fails in them later, at a property of null; it has to post it to each.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR="$folder" # where the browser is unpacked
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund playwright-core@1.65.1 @sparticuz/chromium@153.0.0
cat > broadcast.js <<'END'
import { createServer } from 'node:http'
import chromium from '@sparticuz/chromium'
import { chromium as playwright } from 'playwright-core'

const receiver = `
  const listen = (from, answer) => {
    from.onmessage = ({ data }) => answer(data === null ? 'is null' : 'arrives')
    from.onmessageerror = () => answer('messageerror')
  }
  if ('onconnect' in self) onconnect = ({ ports: [port] }) => listen(port, said => port.postMessage(said))
  else {
    listen(self, said => postMessage(said))
    listen(new BroadcastChannel('all'), said => postMessage(said))
    postMessage('ready')
  }`
const server = createServer(({ url }, answer) => {
  const isReceiver = url === '/receiver.js'
  const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' }
  answer.writeHead(200, { 'content-type': isReceiver ? 'text/javascript' : 'text/html', ...isolation })
  answer.end(isReceiver ? receiver : '<!doctype html><title>Broadcast</title>')
})
await new Promise(resolve => server.listen(0, 'localhost', resolve))

const browser = await playwright.launch({ executablePath: await chromium.executablePath(), args: ['--no-sandbox'] })
const page = await browser.newPage()
await page.goto(`http://localhost:${server.address().port}/`)
const seen = await page.evaluate(async () => {
  const module = () => new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))
  const values = {
    'WebAssembly.Module': module(),
    'WebAssembly.Memory (shared)': new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }),
    'an object with a module and a number': { module: module(), number: 1 },
    ArrayBuffer: new ArrayBuffer(8),
  }
  const answerOf = from => new Promise(resolve => { from.onmessage = ({ data }) => resolve(data) })
  const worker = new Worker('receiver.js')
  await answerOf(worker)
  const { port } = new SharedWorker('receiver.js')
  const ways = [['posted', worker, worker], ['broadcast', new BroadcastChannel('all'), worker], ['to a SharedWorker', port, port]]
  const lines = []
  for (const [name, value] of Object.entries(values)) {
    const told = []
    for (const [way, to, from] of ways) {
      const answer = answerOf(from)
      to.postMessage(value)
      told.push(`${way} ${await answer}`)
    }
    lines.push(`${name}: ${told.join(', ')}`)
  }
  return lines
})
await browser.close()
server.close()
console.log(seen.join('\n'))
const isLost = seen.slice(0, 3).every(line => line.endsWith(': posted arrives, broadcast is null, to a SharedWorker messageerror'))
process.exit(isLost && seen[3] === 'ArrayBuffer: posted arrives, broadcast arrives, to a SharedWorker arrives' ? 0 : 1)
END
node broadcast.js
