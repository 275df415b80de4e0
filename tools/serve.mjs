// A static file server with the headers that SharedArrayBuffer needs; for `npm start` and the browser tests.
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { acceptsGzip, compressedFile, compressText, shrinks } from './compressed-files.mjs'

const contentTypes = {
  '.css': 'text/css',
  '.gguf': 'application/octet-stream',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
}
const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** The path, size and version of the file in `folder` that a request path refers to, or undefined. */
async function findFile(folder, pathname) {
  const path = join(folder, normalize(decodeURIComponent(pathname)))
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return findFile(folder, join(pathname, 'index.html'))
  return found && { path, size: found.size, version: found.mtimeMs }
}

/**
 * Serves `folder`, by default to this machine only. `isolated` adds the isolation headers, `headers` any others; port 0 means any
 * free port. `handle(request, response)` is called first, and resolves to whether it has answered; `change(path, content)` returns
 * the content to send for a page. `compressed`: text and WebAssembly are sent as gzip. `immutable` matches the paths of files that a
 * browser may keep without asking again. Resolves to {url, close()}; rejects with code EADDRINUSE if the port is taken.
 */
export async function serve(
  folder,
  { host = '127.0.0.1', port = 0, isolated = true, headers = {}, compressed, immutable, handle, change } = {},
) {
  const server = createServer(async (request, response) => {
    try {
      if (await handle?.(request, response)) return
      const { pathname } = new URL(request.url, 'http://localhost')
      const file = await findFile(folder, pathname)
      if (!file) return response.writeHead(404).end('not found')
      const type = contentTypes[extname(file.path)] ?? 'application/octet-stream'
      const text = change && type.startsWith('text/html') ? change(file.path, await readFile(file.path)) : undefined
      const asGzip = compressed && shrinks(type) && acceptsGzip(request)
      const bytes = !asGzip ? text : await (text === undefined ? compressedFile(file) : compressText(text))
      response.writeHead(200, {
        'Content-Type': type,
        'Content-Length': bytes === undefined ? file.size : Buffer.byteLength(bytes),
        ...(asGzip && { 'Content-Encoding': 'gzip' }),
        'Cache-Control': immutable?.test(pathname) ? 'max-age=31536000, immutable' : 'no-cache',
        ...(compressed && { Vary: 'Accept-Encoding' }),
        ...(isolated && isolationHeaders),
        ...headers,
      })
      if (request.method === 'HEAD') return response.end()
      if (bytes !== undefined) return response.end(bytes)
      createReadStream(file.path)
        .on('error', () => response.destroy())
        .pipe(response)
    } catch {
      if (!response.headersSent) response.writeHead(400).end('bad request')
    }
  })
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => new Promise(resolve => server.close(resolve) && server.closeAllConnections()),
  }
}
