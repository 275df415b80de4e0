// Finds a model on a hub: one listing has the names, sizes and checksums of all files. https://huggingface.co/docs/hub/api
import { unreachable } from '../platform/fetch.js'
import { HeedError } from '../wire/errors.js'
import { openStream } from './byte-stream.js'
import { isModelHeader } from './gguf-header.js'
import { choose, type Listed } from './hub-choice.js'
import { type HubFile, isPath } from './hub-file.js'
import { readBytes } from './model-file.js'
import { remoteFile } from './remote-file.js'
import { Attempts, Interruption, judge, patient } from './retry.js'
import { allParts, fileName } from './split-name.js'

/** A file found on a hub. */
export interface HubEntry {
  name: string
  url: string
  token?: string
  size?: number
  sha256?: string
}

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')

function entry(file: HubFile, path: string, listed?: Listed): HubEntry {
  const { endpoint, repo, revision, token } = file
  const url = `${endpoint}/${repo}/resolve/${encodeURIComponent(revision)}/${encoded(path)}`
  return { name: fileName(path), url, token, size: listed?.lfs?.size ?? listed?.size, sha256: listed?.lfs?.oid }
}

/**
 * Finds the requested file, or the parts of a split model. Fails with `network`, also if the hub sends nothing for `stallMs`, or with
 * `invalid-argument`.
 */
export async function findOnHub(file: HubFile, stallMs: number): Promise<HubEntry[]> {
  let listed: Listed[]
  try {
    listed = await list(file, stallMs)
  } catch (error) {
    // Some mirrors have no listing; a file given by name does not need it, but is then not verified.
    if (!file.path || (error as { status?: number }).status !== 404) throw error
    return allParts(file.path).map(path => entry(file, path))
  }
  const found = (path: string) =>
    entry(
      file,
      path,
      listed.find(other => other.path === path),
    )
  return (await choose(file, listed, path => isModel(found(path), stallMs))).map(found)
}

/** Enough for the first pairs of a header, which reveal the kind of file. */
const kindBytes = 1 << 14

/** Whether a file is a model by its header; true if that cannot be read. */
async function isModel(found: HubEntry, stallMs: number): Promise<boolean> {
  const file = remoteFile(found, { stallMs, ranged: true, probeBytes: kindBytes, notice() {} })
  try {
    return isModelHeader(found.name, await readBytes(file, 0, kindBytes))
  } catch {
    return true
  } finally {
    await file.close()
  }
}

/** A page of Hugging Face's list has 1000 files. */
const mostPages = 100
const mostPageBytes = 16 << 20

async function list(file: HubFile, stallMs: number): Promise<Listed[]> {
  const { endpoint, repo, revision, token } = file
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {}
  const found: Listed[] = []
  const asked = new Set<string>()
  let url: string | undefined = `${endpoint}/api/models/${repo}/tree/${encodeURIComponent(revision)}?recursive=true`
  while (url) {
    if (asked.has(url) || asked.size === mostPages) throw new HeedError('network', `${url}: the list of files does not end`)
    asked.add(url)
    const response: Response = await ask(url, headers, token !== undefined, stallMs)
    const page = await readJson(response, url, stallMs)
    if (!Array.isArray(page)) throw new HeedError('network', `${url} is not a list of files`)
    for (const one of page) if (isListed(one)) found.push(one)
    const next: string | undefined = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
    // The token is sent only to the endpoint.
    url = next && new URL(next, url).origin === new URL(endpoint).origin ? new URL(next, url).href : undefined
  }
  return found
}

const isSize = (size: unknown) => Number.isSafeInteger(size) && (size as number) >= 0

/** Whether an item of a listing is a file with valid values. Other items, such as folders, are skipped. */
function isListed(item: unknown): item is Listed {
  const { path, size, lfs } = (item ?? {}) as Listed
  return (
    typeof path === 'string' &&
    isPath(path) &&
    (size === undefined || isSize(size)) &&
    (!lfs || (isSize(lfs.size) && /^[\da-f]{64}$/.test(lfs.oid)))
  )
}

/** The JSON of a response; undefined if it is malformed. Throws `network` if it is too long or stalls. */
async function readJson(response: Response, url: string, stallMs: number): Promise<unknown> {
  const decoder = new TextDecoder()
  const stream = response.body && openStream(response.body)
  const read = () =>
    stream &&
    patient(stream.read(), stallMs).catch((error: Error) => {
      stream.cancel()
      throw unreachable(url, error)
    })
  let text = ''
  for (let chunk; (chunk = await read()); ) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length <= mostPageBytes) continue
    stream!.cancel()
    throw new HeedError('network', `${url}: the list of files is too long`)
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a request, with retries. If the response is an error that a retry cannot fix, the thrown error has its `status`. */
async function ask(url: string, headers: Record<string, string>, hasToken: boolean, stallMs: number): Promise<Response> {
  const attempts = new Attempts()
  for (;;) {
    const request = new AbortController()
    try {
      const response = await patient(fetch(url, { headers, signal: request.signal }), stallMs)
      if (response.ok) return response
      const error = judge(url, response, hasToken)
      if (error instanceof HeedError) throw Object.assign(error, { status: response.status })
      await attempts.pause(error as Interruption, ({ message }) => new HeedError('network', `${url}: ${message}`))
    } catch (error) {
      request.abort()
      if (error instanceof HeedError) throw error
      const { message } = error as Error
      await attempts.pause(new Interruption(message), () => unreachable(url, error as Error), 2)
    }
  }
}
