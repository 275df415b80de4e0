// Serves one file like a network: at a limited rate, with range requests.
import { once } from 'node:events'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { createServer } from 'node:http'

const chunkBytes = 1 << 18

/** Resolves to {url, close()}. */
export async function serveSlowly(path, megabytesPerSecond) {
  const file = openSync(path)
  const { size } = fstatSync(file)
  const server = createServer((request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
    const first = Number(from ?? 0)
    const end = to ? Math.min(Number(to) + 1, size) : size
    response.writeHead(from ? 206 : 200, {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Content-Length': end - first,
      ...(from && { 'Content-Range': `bytes ${first}-${end - 1}/${size}` }),
    })
    send(response, first, end).catch(() => response.destroy())
  })

  async function send(response, first, end) {
    const start = performance.now()
    for (let at = first; at < end && !response.destroyed; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end - at))
      at += readSync(file, chunk, 0, chunk.length, at)
      const due = start + (at - first) / megabytesPerSecond / 1000 - performance.now()
      if (due > 2) await new Promise(resolve => setTimeout(resolve, due))
      if (!response.write(chunk)) await once(response, 'drain', { signal: AbortSignal.timeout(60_000) })
    }
    response.end()
  }

  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${server.address().port}/model.gguf`,
    async close() {
      await new Promise(resolve => server.close(resolve) && server.closeAllConnections())
      closeSync(file)
    },
  }
}
