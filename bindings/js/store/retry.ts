// Decides how long a server may be silent, when an interrupted download is retried, and when it fails.
import { isOffline } from '../platform/fetch.js'
import { HeedError } from '../wire/errors.js'

/** The transfer failed, but a retry may help. */
export class Interruption extends Error {
  /** The server's Retry-After, in seconds. */
  readonly retryAfter?: number

  constructor(message: string, retryAfter?: number) {
    super(message)
    this.retryAfter = retryAfter
  }
}

/** The file at the URL differs from the one that was read before. */
export class Changed extends Error {}

const mostAttempts = 7
const firstWaitMs = 100
const longestWaitMs = 5_000
const longestRetryAfter = 60
const offlinePatienceMs = 60_000

const transient = new Set([408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524])

/** The error for an unsuccessful response. */
export function judge(url: string, response: Response, hasToken: boolean): Error {
  const { status } = response
  const text = `HTTP ${status} ${response.statusText}`.trimEnd()
  if (status === 416) return new Changed('the file on the server is shorter than announced')
  const retryAfter = Number(response.headers.get('Retry-After') ?? undefined)
  if (transient.has(status)) return new Interruption(text, Number.isFinite(retryAfter) ? retryAfter : undefined)
  const denied = status === 401 || status === 403
  // The hub's redirect has expired; the next request gets a new one.
  if (denied && response.redirected) return new Interruption(text)
  const remedy = !denied ? '' : hasToken ? ' The token does not give access to it.' : ' It may need a token.'
  return new HeedError('network', `${url}: ${text}.${remedy}`)
}

/** Awaits a server. Throws an Interruption if that takes longer than `stallMs`. */
export async function patient<Result>(result: Promise<Result>, stallMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout>
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Interruption(`no data for ${stallMs / 1000} s`)), stallMs)
  })
  result.catch(() => {})
  try {
    return await Promise.race([result, stalled])
  } finally {
    clearTimeout(timer!)
  }
}

/** Counts failures and waits before the next attempt. */
export class Attempts {
  #failures = 0
  #hasBegun = false

  /** Must be called when data arrives: the next failure counts as the first. */
  reset(): void {
    this.#failures = 0
    this.#hasBegun = true
  }

  /**
   * Resolves when it is time to retry. Throws after `most` failures in a row, if the server demands too long a wait, or if there is no
   * network before anything has arrived.
   */
  async pause(cause: Interruption, giveUp: (cause: Interruption) => HeedError, most = mostAttempts): Promise<void> {
    const isHopeless = !this.#hasBegun && isOffline()
    if (++this.#failures >= most || isHopeless || (cause.retryAfter ?? 0) > longestRetryAfter) throw giveUp(cause)
    const waitMs = Math.min(firstWaitMs * 2 ** (this.#failures - 1), longestWaitMs) * (0.75 + Math.random() / 2)
    await new Promise(resolve => setTimeout(resolve, cause.retryAfter ? cause.retryAfter * 1000 : waitMs))
    if (isOffline()) await online()
  }
}

/** Resolves when the network is available again, or after a minute. */
const online = () =>
  new Promise<void>(resolve => {
    const done = () => {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', done)
      resolve()
    }
    const timer = setTimeout(done, offlinePatienceMs)
    globalThis.addEventListener?.('online', done)
  })
