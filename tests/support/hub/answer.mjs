// Serves files of the hub's storage, correctly or with faults.
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'

const chunkBytes = 1 << 16

/**
 * `hub.behavior`, all of it optional:
 * - ranges: false: every response has status 200 and starts with the first byte
 * - etag: the header, instead of the file's own; 'weak' makes that weak, null omits it
 * - modified: null omits the header Last-Modified
 * - length: added to the true Content-Length; null omits the header
 * - gzip: true: compressed, although not requested
 * - html: true: a page with status 200 instead of the file
 * - flip: the position of a byte to corrupt; cut: where the file ends early, as if that were its size
 * - bytesPerMs: the transfer rate
 * - expose: the headers that pages of other origins may read
 *
 * `hub.breaks`: {at, how, path}: when the byte `at` of the file `path`, or of any file, is due, the response ends. `how`:
 * 'reset', 'end', 'stall' (nothing arrives for seconds), or a function that is called, after which the response continues.
 */
export async function answerFile({ hub, file, path, request, response, headers }) {
  const { ranges = true, etag, modified, length = 0, gzip, html, flip, cut } = hub.behavior
  if (html) {
    response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' })
    return response.end('<!doctype html><title>Hub</title><p>Come back later.')
  }
  const size = Math.min(cut ?? file.size, file.size)
  const own = `"${file.sha256.slice(0, 32)}-${file.version}"`
  const tag = etag === 'weak' ? `W/${own}` : etag === undefined ? own : etag
  const described = {
    ...headers,
    'Content-Type': 'application/octet-stream',
    ...(modified !== null && { 'Last-Modified': new Date(file.version * 1000).toUTCString() }),
    ...(tag && { ETag: tag }),
    ...(ranges && { 'Accept-Ranges': 'bytes' }),
  }
  const condition = request.headers['if-range']
  const asked = ranges && (!condition || condition === tag) ? /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') : null
  const first = asked ? Number(asked[1]) : 0
  const end = asked?.[2] ? Math.min(Number(asked[2]) + 1, size) : size
  if (asked && first >= size) {
    response.writeHead(416, { ...described, 'Content-Range': `bytes */${size}` })
    return response.end()
  }
  if (gzip) {
    const zipped = gzipSync(file.read(0, size))
    response.writeHead(200, { ...described, 'Content-Encoding': 'gzip', 'Content-Length': zipped.length })
    hub.served += zipped.length
    return response.end(zipped)
  }
  response.writeHead(asked ? 206 : 200, {
    ...described,
    ...(asked && { 'Content-Range': `bytes ${first}-${end - 1}/${size}` }),
    ...(length !== null && { 'Content-Length': end - first + length }),
  })
  if (request.method === 'HEAD') return response.end()
  await send({ hub, file, path, response, first, end, flip })
}

async function send({ hub, file, path, response, first, end, flip }) {
  for (let at = first; at < end && !response.destroyed; ) {
    const [broken] = hub.breaks
      .filter(({ at: position, path: of = path }) => of === path && position >= at)
      .sort((a, b) => a.at - b.at)
    const stop = Math.min(at + chunkBytes, end, broken && broken.at > at ? broken.at : Infinity)
    if (broken && broken.at === at) {
      hub.breaks.splice(hub.breaks.indexOf(broken), 1)
      if (typeof broken.how === 'function') broken.how()
      else return interrupt(response, broken.how)
      continue
    }
    const chunk = Buffer.from(file.read(at, stop - at))
    if (flip >= at && flip < stop) chunk[flip - at] ^= 0x10
    const { bytesPerMs } = hub.behavior
    if (bytesPerMs) await new Promise(resolve => setTimeout(resolve, chunk.length / bytesPerMs))
    hub.served += chunk.length
    at = stop
    if (!response.write(chunk)) await drained(response)
  }
  if (!response.destroyed)
    response.end(() => {
      if (hub.behavior.length > 0) response.socket?.end()
    })
}

const stallMs = 3000

/** Firefox keeps the connection of a request that is aborted during a stall, so the hub finally closes it. */
async function stall(response) {
  const timer = setTimeout(() => response.destroy(), stallMs)
  await once(response, 'close')
  clearTimeout(timer)
}

/** Resolves when the response accepts more data, or is closed. */
async function drained(response) {
  const wait = new AbortController()
  const { signal } = wait
  await Promise.race(['drain', 'close'].map(event => once(response, event, { signal }))).finally(() => wait.abort())
}

/** Flushes what was written first, so that the break is at the requested byte. */
async function interrupt(response, how) {
  if (how === 'stall') return stall(response)
  await new Promise(resolve => response.write('', resolve))
  if (how === 'reset') response.socket?.resetAndDestroy()
  else response.destroy()
}
