// An HTTP server that serves one model file in several ways, good and bad, to pages of any origin.
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'

const chunkBytes = 64 * 1024

/**
 * Serves `bytes` at /model (as is), /slow (with a pause after each chunk), /held (half of them, then nothing until the client
 * leaves), /broken (the connection ends halfway) and /missing (HTTP 404), and under a name of its own in any of these: /slow/NAME. Resolves to {url, sent(), left(), close()}; sent()
 * returns how many bytes of files were written, and left() resolves once one more client has left /held.
 */
export async function serveModel(bytes) {
  let sent = 0
  const departures = new EventEmitter()
  let departed = 0

  /** Yields the bytes before `end` in chunks, each followed by a pause in milliseconds. */
  async function* chunksOf(pause, end) {
    for (let offset = 0; offset < end; offset += chunkBytes) {
      const chunk = bytes.subarray(offset, Math.min(offset + chunkBytes, end))
      sent += chunk.length
      yield chunk
      if (pause) await setTimeout(pause)
    }
  }

  /** Resolves when all is sent, or the client has disconnected. */
  const send = (response, pause, end = bytes.length) =>
    pipeline(Readable.from(chunksOf(pause, end), { highWaterMark: 1 }), response, { end: false }).catch(() => {})

  const server = createServer(async (request, response) => {
    const [, way] = request.url.split('/')
    const known = ['model', 'slow', 'held', 'broken'].includes(way)
    response.writeHead(known ? 200 : 404, {
      'Content-Type': 'application/octet-stream',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(known && { 'Content-Length': bytes.length }),
    })
    if (way === 'slow') await send(response, 50)
    if (way === 'model') await send(response, 0)
    if (way === 'held') {
      response.once('close', () => {
        departed++
        departures.emit('left')
      })
      return send(response, 0, bytes.length / 2)
    }
    if (way === 'broken') {
      await send(response, 0, bytes.length / 2)
      return response.destroy()
    }
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${server.address().port}`,
    sent: () => sent,
    async left() {
      if (departed === 0) await once(departures, 'left')
      departed--
    },
    close: () =>
      new Promise(resolve => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
