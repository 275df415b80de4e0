// A resumable download. Each request asks for the missing bytes at the file's own address, because an address that the server
// redirects to may expire. https://fetch.spec.whatwg.org, https://www.rfc-editor.org/rfc/rfc9110#section-14
import { reasonOf, unreachable } from '../platform/fetch.js'
import { HeedError } from '../wire/errors.js'
import { type ByteStream, openStream } from './byte-stream.js'
import { wrongFile } from './errors.js'
import type { Chunks } from './model-file.js'
import { Attempts, Changed, Interruption, judge, patient } from './retry.js'

/** A file at a URL. */
export interface Remote {
  name: string
  url: string
  /** The access token; sent to this URL only, not to a URL that it redirects to. */
  token?: string
  /** The file's size in a hub's listing; a download of any other size is an error. */
  size?: number
}

/** Properties of a response that distinguish a file from another version at the same URL. */
export interface Identity {
  size?: number
  etag?: string
  modified?: string
}

export interface DownloadOptions {
  /** The identity of the file in an earlier download; if the file differs, `next` throws `Changed`. */
  identity?: Identity
  /** Limits the first request to this many bytes, for callers that need little at first. */
  probeBytes?: number
  /** Requests a range even from the start, so that no server compresses the response. */
  ranged?: boolean
  /** Milliseconds without data before the rest is requested again. */
  stallMs: number
  notice(text: string): void
}

/** Size of the first request for a further part of a split model: enough for its header, unless that is long. */
export const probeBytes = 1 << 16

/** Bytes to request again after an interruption, to compare them. */
const overlapBytes = 1 << 12

const weak = (etag?: string | null) => etag?.replace(/^W\//, '') || undefined

function isSame(a: Identity, b: Identity): boolean {
  const differ = (name: keyof Identity) => a[name] !== undefined && b[name] !== undefined && a[name] !== b[name]
  if (differ('size') || differ('etag')) return false
  return (a.etag !== undefined && b.etag !== undefined) || !differ('modified')
}

const inNode = globalThis.location === undefined

/** Whether requests can have headers that need a CORS preflight from another origin. */
const takesHeaders = (url: string) => inNode || new URL(url).origin === globalThis.location.origin

export class Download implements Chunks {
  readonly #remote: Remote
  readonly #options: DownloadOptions
  readonly #attempts = new Attempts()
  #position: number
  #identity: Identity
  #request?: AbortController
  #body?: ByteStream
  #until?: number // where the current response ends, if not at the end of the file
  #skip = 0 // number of bytes before #position that arrive again
  #last = new Uint8Array() // the last bytes before #position, to compare with what arrives again
  #isConditional = true
  #isCompressed = false
  #hasBegun = false

  constructor(remote: Remote, at: number, options: DownloadOptions) {
    this.#remote = remote
    this.#position = at
    this.#options = options
    this.#identity = { size: remote.size, ...options.identity }
  }

  /** The identity as reported by the server so far. */
  get identity(): Identity {
    return this.#identity
  }

  /** The next bytes; undefined at the end. Throws a HeedError, or Changed. */
  async next(): Promise<Uint8Array | undefined> {
    for (;;) {
      try {
        this.#body ??= await this.#ask()
        const chunk = this.#fresh(await this.#patient(this.#body.read()))
        if (!chunk && this.#isWhole()) return undefined
        if (!chunk) this.#goOn()
        else if (chunk.length > 0) {
          this.#attempts.reset()
          this.#position += chunk.length
          this.#checkLength()
          this.#remember(chunk)
          return chunk
        }
      } catch (error) {
        this.close()
        if (this.#identity.size !== undefined && this.#isWhole()) return undefined // every byte arrived before the error
        await this.#recover(error)
      }
    }
  }

  close(): void {
    this.#body?.cancel()
    this.#body = undefined
    this.#request?.abort()
  }

  async #ask(): Promise<ByteStream> {
    const { url, token } = this.#remote
    const { probeBytes, ranged } = this.#options
    const { etag } = this.#identity
    // Without an ETag, only a comparison of bytes shows that the file is still the same.
    const at = this.#isCompressed ? 0 : this.#position - (etag ? 0 : this.#last.length)
    const until = probeBytes && !this.#hasBegun ? at + probeBytes : undefined
    const headers: Record<string, string> = {}
    if (ranged || at > 0 || until) headers.Range = `bytes=${at}-${until ? until - 1 : ''}`
    if (token) headers.Authorization = `Bearer ${token}`
    if (at > 0 && etag && !etag.startsWith('W/') && this.#isConditional && takesHeaders(url)) headers['If-Range'] = etag
    const { signal } = (this.#request = new AbortController())
    const response = await this.#patient(fetch(url, { headers, signal, ...(ranged && { cache: 'no-store' as const }) }))
    if (response.status !== 206 && response.status !== 200) throw judge(url, response, token !== undefined)
    this.#accept(response, at, until)
    this.#hasBegun = true
    if (!response.body) throw wrongFile(`${url}: the file is empty`)
    return openStream(response.body)
  }

  /** Compares a response with the request and with earlier responses. */
  #accept(response: Response, at: number, until?: number): void {
    const { url } = this.#remote
    const { headers, status } = response
    if (headers.get('Content-Type')?.startsWith('text/html')) {
      if (this.#position > 0) throw new Interruption('the server sent an HTML page')
      throw wrongFile(`${url} is an HTML page, not a model`)
    }
    // Pages can always read Content-Length and Last-Modified of responses from another origin, but not the other headers.
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers.get('Content-Range') ?? '')
    const isEncoded = (headers.get('Content-Encoding') ?? 'identity') !== 'identity'
    const length = headers.has('Content-Length') && !isEncoded ? Number(headers.get('Content-Length')) : undefined
    const isPart = status === 206
    if (isPart && range && Number(range[1]) !== at) throw new Interruption('the server sent a different part of the file')
    const isAll = !isPart || until === undefined || length !== until - at
    const rest = length === undefined || !isAll ? undefined : (isPart ? at : 0) + length
    const size = range && range[2] !== '*' ? Number(range[2]) : rest
    const seen: Identity = {
      size,
      etag: headers.get('ETag') ?? undefined,
      modified: headers.get('Last-Modified') ?? undefined,
    }
    const known = this.#identity
    const plain = (identity: Identity) => ({ ...identity, etag: weak(identity.etag) })
    if (!isSame(plain(known), plain(seen))) {
      if (this.#remote.size !== undefined && size !== undefined && size !== this.#remote.size) {
        throw wrongFile(`${url} has ${size} bytes, but its listed size is ${this.#remote.size}`)
      }
      throw new Changed('the file has changed on the server')
    }
    this.#identity = { size: known.size ?? size, etag: seen.etag ?? known.etag, modified: seen.modified ?? known.modified }
    this.#until = isPart ? until : undefined
    this.#skip = this.#position - (isPart ? at : 0)
    if (!isPart && this.#skip > 0) this.#options.notice('The server cannot resume the download, and sends the file from its start')
  }

  /** The bytes of a chunk that are new. Throws Changed if its other bytes differ from those that arrived before. */
  #fresh(chunk?: Uint8Array): Uint8Array | undefined {
    const again = Math.min(this.#skip, chunk?.length ?? 0)
    const known = this.#last.length
    for (let index = Math.max(0, this.#skip - known); index < again; index++) {
      if (chunk![index] !== this.#last[known - this.#skip + index]) throw new Changed('the file has changed on the server')
    }
    this.#skip -= again
    return chunk?.subarray(again)
  }

  #remember(chunk: Uint8Array): void {
    const kept = chunk.length < overlapBytes ? this.#last.subarray(chunk.length - overlapBytes) : []
    const last = new Uint8Array(kept.length + Math.min(chunk.length, overlapBytes))
    last.set(kept)
    last.set(chunk.subarray(-overlapBytes), kept.length)
    this.#last = last
  }

  /** Detects that more bytes arrive than were announced: the length was that of compressed data, which browsers do not reveal. */
  #checkLength(): void {
    const { size } = this.#identity
    if (size === undefined || this.#position <= size) return
    if (this.#remote.size !== undefined) {
      throw wrongFile(`${this.#remote.url} has more than its listed ${size} bytes`)
    }
    this.#identity = { ...this.#identity, size: undefined }
    this.#isCompressed = true
  }

  #isWhole(): boolean {
    const { size } = this.#identity
    return this.#skip === 0 && (size === undefined ? this.#until === undefined : this.#position === size)
  }

  /** Prepares a request for the rest after a partial response; throws if the response was interrupted. */
  #goOn(): void {
    this.#body = undefined
    if (this.#position === this.#until) return
    throw new Interruption(`the server stopped after ${this.#position} of ${this.#identity.size ?? 'unknown'} bytes`)
  }

  /** Returns if another attempt makes sense; throws otherwise. */
  async #recover(error: unknown): Promise<void> {
    if (error instanceof HeedError || error instanceof Changed) throw error
    const { url } = this.#remote
    if (error instanceof Interruption) {
      return this.#attempts.pause(error, cause => new HeedError('network', `${url}: ${cause.message}`))
    }
    const message = reasonOf(error as Error)
    if (this.#hasBegun) {
      this.#isConditional = false
      return this.#attempts.pause(new Interruption(message), () => new HeedError('network', `${url} was interrupted: ${message}`))
    }
    await this.#attempts.pause(new Interruption(message), () => unreachable(url, error as Error), 2)
  }

  #patient<Result>(result: Promise<Result>): Promise<Result> {
    return patient(result, this.#options.stallMs)
  }
}
