// A web server that can be configured correctly or incorrectly: serves a folder, with headers and exceptions.
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, extname, join, normalize } from 'node:path'
import { inRoot } from '../paths.mjs'

const contentTypes = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
}

/** The headers that a page needs for threads. */
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** The headers that allow pages of other origins, isolated or not, to use the files. */
export const shared = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/**
 * Serves `folder` with `headers`. `except(path)`, called with a request's path without the leading slash, may return a
 * different response: {status, body, headers}, each optional; a header that is undefined is not sent. Resolves to
 * {url, close()}.
 */
export async function startHost(folder, { headers = {}, except = () => undefined } = {}) {
  const server = createServer(async (request, response) => {
    const name = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname)).slice(1)
    const path = name === '' || name.endsWith('/') ? `${name}index.html` : name
    const other = except(path) ?? {}
    const body = other.body ?? (await readFile(join(folder, path)).catch(() => undefined))
    const all = {
      'Content-Type': contentTypes[extname(path)] ?? 'application/octet-stream',
      ...headers,
      ...other.headers,
    }
    const sent = Object.entries(all).filter(([, value]) => value !== undefined)
    response.writeHead(body === undefined ? 404 : (other.status ?? 200), Object.fromEntries(sent))
    response.end(body ?? 'not found')
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${server.address().port}/`,
    close: () => new Promise(resolve => server.close(resolve) && server.closeAllConnections()),
  }
}

/** Creates a folder with `files`, and with the built package in heed/; `close()` removes it. */
export function siteFolder(files) {
  const folder = mkdtempSync(join(tmpdir(), 'heed-site-'))
  cpSync(inRoot('dist'), join(folder, 'heed'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return { folder, close: () => rmSync(folder, { recursive: true }) }
}
