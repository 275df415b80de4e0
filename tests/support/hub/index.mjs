// A model hub that behaves like Hugging Face's and fails on demand. A file is at /OWNER/REPO/resolve/REVISION/PATH, which
// redirects (302) to a second origin, with an expiring URL that serves the bytes.
// /api/models/OWNER/REPO/tree/REVISION?recursive=true lists the files, with SHA-256 sums.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { answerFile } from './answer.mjs'

/** The response headers that the real hub exposes to pages. */
const hubExposes =
  'X-Repo-Commit,X-Request-Id,X-Error-Code,X-Error-Message,X-Total-Count,ETag,Link,Accept-Ranges,' +
  'Content-Range,X-Linked-Size,X-Linked-ETag,X-Xet-Hash'

const bytesOf = content =>
  Buffer.isBuffer(content) || content instanceof Uint8Array
    ? { size: content.length, read: (at, length) => content.subarray(at, at + length), sha256: sha256(content) }
    : content

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex')

async function listen(answer) {
  const server = createServer((request, response) => answer(request, response).catch(() => response.destroy()))
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://localhost:${server.address().port}` }
}

/**
 * `repos`: {'owner/repo': {path: bytes}}; bytes may be {size, read(at, length), sha256}, for files that exist nowhere.
 * Resolves to the hub:
 * - endpoint, storage: the URLs of the two origins
 * - token: if set, the hub responds with 401 to requests without it
 * - behavior: how files are served, see answer.mjs; can be changed at any time
 * - breaks: [{at, how, path}], each used once, when the byte `at` of a file is due; see answer.mjs
 * - refusals: {status, retryAfter, from: 'hub' | 'storage' | 'list'} for each of the next requests for files or lists
 * - requests: [{origin, method, url, headers}]; served: the number of bytes sent of files
 * - put(repo, path, bytes): adds or replaces a file
 * - expire(): invalidates all signatures issued so far; unplug(ms): disconnects the network for a while
 */
export async function startHub(repos) {
  const files = new Map()
  let issued = 0
  const valid = new Set()
  const hub = {
    token: undefined,
    behavior: {},
    breaks: [],
    refusals: [],
    requests: [],
    served: 0,
    put(repo, path, content) {
      if (!files.has(repo)) files.set(repo, new Map())
      files.get(repo).set(path, { ...bytesOf(content), version: ++issued })
    },
    sum: (repo, path) => files.get(repo).get(path).sha256,
    expire: () => valid.clear(),
    address: (repo, path, revision = 'main') => `${hub.endpoint}/${repo}/resolve/${revision}/${path}`,
  }
  for (const [repo, contents] of Object.entries(repos)) {
    for (const [path, content] of Object.entries(contents)) hub.put(repo, path, content)
  }

  const note = (origin, request) =>
    hub.requests.push({ origin, method: request.method, url: request.url, headers: { ...request.headers } })

  /** Sends the next refusal for this origin; returns whether there was one. */
  function refuse(origin, response, headers) {
    const index = hub.refusals.findIndex(({ from = 'hub' }) => from === origin)
    if (index < 0) return false
    const [{ status, retryAfter }] = hub.refusals.splice(index, 1)
    response.writeHead(status, { ...headers, 'Content-Type': 'text/html', ...(retryAfter && { 'Retry-After': retryAfter }) })
    response.end(`<!doctype html><title>${status}</title>`)
    return true
  }

  let isUnplugged = false
  hub.unplug = ms => {
    isUnplugged = true
    for (const { server } of [front, back]) server.closeAllConnections()
    setTimeout(() => {
      isUnplugged = false
    }, ms)
  }

  const front = await listen(async (request, response) => {
    note('hub', request)
    const headers = {
      'Access-Control-Allow-Origin': request.headers.origin ?? '*',
      'Access-Control-Expose-Headers': hubExposes,
      Vary: 'Origin',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    }
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...headers, 'Access-Control-Allow-Headers': 'authorization, range' })
      return response.end()
    }
    if (hub.token && request.headers.authorization !== `Bearer ${hub.token}`) {
      response.writeHead(401, { ...headers, 'X-Error-Message': 'Invalid username or password.' })
      return response.end('Invalid username or password.')
    }
    const { pathname, searchParams } = new URL(request.url, hub.endpoint)
    const [, listed] = /^\/api\/models\/([^/]+\/[^/]+)\/tree\/[^/]+$/.exec(pathname) ?? []
    const [, repo, path] = /^\/([^/]+\/[^/]+)\/resolve\/[^/]+\/(.+)$/.exec(pathname) ?? []
    if (listed && files.has(listed)) {
      if (refuse('list', response, headers)) return
      const list = [...files.get(listed)]
        .filter(([name]) => searchParams.get('recursive') || !name.includes('/'))
        .map(([name, { size, sha256: oid }]) => ({
          type: 'file',
          path: name,
          size,
          oid: '0'.repeat(40),
          lfs: { oid, size, pointerSize: 135 },
        }))
      response.writeHead(200, { ...headers, 'Content-Type': 'application/json; charset=utf-8' })
      return response.end(JSON.stringify(list))
    }
    const file = files.get(repo)?.get(decodeURIComponent(path))
    if (!file) {
      response.writeHead(404, { ...headers, 'X-Error-Code': 'EntryNotFound' })
      return response.end('Entry not found')
    }
    if (refuse('hub', response, headers)) return
    const signature = String(++issued)
    valid.add(signature)
    response.writeHead(302, {
      ...headers,
      Location: `${hub.storage}/${repo}/${path}?Signature=${signature}`,
      'X-Linked-Size': file.size,
      'X-Linked-ETag': `"${file.sha256}"`,
      'Accept-Ranges': 'bytes',
    })
    response.end()
  })

  const back = await listen(async (request, response) => {
    note('storage', request)
    const headers = {
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...(hub.behavior.expose && { 'Access-Control-Expose-Headers': hub.behavior.expose }),
    }
    // Firefox sends another preflight request after the redirect if the first request had a token.
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { ...headers, 'Access-Control-Allow-Headers': 'authorization, range' })
      return response.end()
    }
    const { pathname, searchParams } = new URL(request.url, hub.storage)
    const [, repo, path] = /^\/([^/]+\/[^/]+)\/(.+)$/.exec(decodeURIComponent(pathname)) ?? []
    const file = files.get(repo)?.get(path)
    if (!file || !valid.has(searchParams.get('Signature'))) {
      response.writeHead(403, { ...headers, 'Content-Type': 'application/xml' })
      return response.end('<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>')
    }
    if (refuse('storage', response, headers)) return
    await answerFile({ hub, file, path, request, response, headers })
  })

  for (const { server } of [front, back])
    server.on('connection', socket => {
      if (isUnplugged) socket.resetAndDestroy()
    })

  Object.assign(hub, {
    endpoint: front.url,
    storage: back.url,
    close: () =>
      Promise.all(
        [front, back].map(
          ({ server }) =>
            new Promise(resolve => {
              server.close(resolve)
              server.closeAllConnections()
            }),
        ),
      ),
  })
  return hub
}
