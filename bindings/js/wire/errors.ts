// HeedError, the only error that the package throws.
import type { WebAbortSignal } from '../types/web.js'

/**
 * Stable error codes; programs may compare them.
 *
 * - `invalid-file`: the model file is truncated, corrupt or not GGUF
 * - `unsupported`: the file or an option needs something that this version or browser lacks
 * - `invalid-argument`: a value is out of range or of the wrong type, or an option is unknown
 * - `out-of-memory`: the message gives the memory needed and available
 * - `context-overflow`: the tokens do not fit into the context; the message gives both numbers
 * - `io`: a local file could not be read, or another tab or process holds a stored model and reports nothing
 * - `out-of-space`: no room to store a model; the message says how much is missing
 * - `network`: a download failed, or part of the package could not be fetched
 * - `template`: a chat template is malformed or rejected the messages; the message of a rejection is the template's own
 * - `aborted`: an AbortSignal ended the call; the error's `name` is `AbortError`
 * - `crashed`: the engine failed; this model is lost, the next `loadModel` works
 * - `internal`: an error in Heed itself, which has ended this call alone; the model works on
 * - `moved`: the tab that ran a shared model was closed, and this call or session could not go on in another
 * - `disposed`: the model or session has been disposed of
 */
export type HeedErrorCode =
  | 'invalid-file'
  | 'unsupported'
  | 'invalid-argument'
  | 'out-of-memory'
  | 'context-overflow'
  | 'io'
  | 'out-of-space'
  | 'network'
  | 'template'
  | 'aborted'
  | 'crashed'
  | 'internal'
  | 'moved'
  | 'disposed'

/**
 * Whether a code is one of Heed's, as the engine reports them. Codes of Node (`ENOENT`) and of the web (numbers) look different.
 */
const isOwn = (code: unknown) => typeof code === 'string' && /^[a-z-]+$/.test(code)

/**
 * The code for an error without one. Only an error that has ended the engine is `crashed`: a trap, an abort of its runtime, a stack
 * overflow (for which engines have no class of their own), or a thrown value that is not an Error, such as an exception that the
 * module did not catch.
 */
function codeOf(error: unknown): HeedErrorCode {
  if (!(error instanceof Error) || error.name === 'RuntimeError') return 'crashed'
  if (/call stack|recursion/.test(error.message)) return /wasm[- ](function|code)/.test(error.stack!) ? 'crashed' : 'internal'
  return error instanceof RangeError ? 'out-of-memory' : 'internal' // the array would be too long
}

/** The text of a thrown value that is not an error. Some objects cannot be converted to text. */
const textOf = (thrown: unknown) => {
  try {
    return String(thrown)
  } catch {
    return Object.prototype.toString.call(thrown)
  }
}

/** Each script of the package has its own copy of this class; the brand lets `instanceof` recognize errors from all of them. */
const brand = Symbol.for('heed.error')

/** A message cut to 4000 characters, from its beginning and its end: it may contain text of a caller or a file. */
const bounded = (message: string) => (message.length > 4000 ? `${message.slice(0, 2000)} … ${message.slice(-2000)}` : message)

export interface HeedErrorOptions {
  cause?: unknown
  index?: number
  contextLength?: number
}

/**
 * The error of every failed call.
 *
 * @example
 * try {
 *   await loadModel(file)
 * } catch (error) {
 *   if (error instanceof HeedError && error.code === 'invalid-file') console.log(error.message)
 * }
 */
export class HeedError extends Error {
  /** The kind of failure, for programs to compare; the message describes it in words. */
  readonly code: HeedErrorCode
  /** The index of the text that the error is about, in a list of texts (`embed`, `rerank`). */
  declare readonly index?: number
  /** The longest context that would fit, if a model does not fit into memory with the context that was asked for. */
  declare readonly contextLength?: number

  constructor(code: HeedErrorCode, message: string, options?: HeedErrorOptions) {
    super(bounded(message), options?.cause === undefined ? {} : { cause: options.cause })
    if (options?.index !== undefined) this.index = options.index
    if (options?.contextLength !== undefined) this.contextLength = options.contextLength
    this.name = code === 'aborted' ? 'AbortError' : 'HeedError'
    this.code = code
    Object.defineProperty(this, brand, { value: true })
  }

  /** The address of the manual's section on errors of this code: what it means, its usual causes, and what to do. */
  get help(): string {
    return `https://github.com/heed-authors/heed/blob/main/docs/troubleshooting.md#${this.code}`
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== HeedError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && brand in value
  }

  /** Converts any error. Keeps a code of Heed's, such as the engine's. */
  static from(error: unknown): HeedError {
    if (error instanceof HeedError) return error
    const { code, message } = (error as Partial<HeedError>) ?? {}
    return new HeedError(isOwn(code) ? code! : codeOf(error), typeof message === 'string' ? message : textOf(error), {
      cause: error,
    })
  }

  static aborted(signal?: WebAbortSignal): HeedError {
    return new HeedError('aborted', 'The call was aborted', { cause: signal?.reason })
  }
}

/** Whether an error means that the model is lost: it cannot be used any more, but may be loaded again. */
export const isLost = (error: unknown): boolean =>
  ['crashed', 'disposed'].includes((error as Partial<HeedError> | undefined)?.code ?? '')

/** The error for a value that a call does not accept. */
export const refuse = (message: string, cause?: unknown) => new HeedError('invalid-argument', message, { cause })
