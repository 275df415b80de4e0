// The one kind of error that the package throws.
import type { WebAbortSignal } from './web-types.js'

/**
 * Stable names of what can go wrong; programs may compare them.
 *
 * - `invalid-file`: the model file is truncated, corrupt, or not GGUF at all
 * - `unsupported`: the file, or an option, asks for what this version or this browser does not have
 * - `invalid-argument`: a value is out of range, of the wrong kind, or an option is unknown
 * - `out-of-memory`: the message says what was needed and what there is
 * - `context-overflow`: more tokens than the context has room for; the message gives both numbers
 * - `io`: a local file could not be read
 * - `out-of-space`: there is no room to keep a model; the message says how much is missing
 * - `network`: a download failed, or part of the package could not be fetched
 * - `template`: a chat template is malformed, or refused the messages; the message of a refusal is the template's own
 * - `aborted`: an AbortSignal ended the call; the error's `name` is then `AbortError`
 * - `crashed`: the engine broke down; this model is lost, and the next `loadModel` works
 * - `disposed`: the model, or the session, was disposed of
 */
export type HeedErrorCode =
  | 'invalid-file' | 'unsupported' | 'invalid-argument' | 'out-of-memory' | 'context-overflow'
  | 'io' | 'out-of-space' | 'network' | 'template' | 'aborted' | 'crashed' | 'disposed'

const codes: ReadonlySet<unknown> = new Set<HeedErrorCode>([
  'invalid-file', 'unsupported', 'invalid-argument', 'out-of-memory', 'context-overflow',
  'io', 'out-of-space', 'network', 'template', 'aborted', 'crashed', 'disposed',
])

/** Each script of the package brings this class along; an error of one is a HeedError to all. */
const brand = Symbol.for('heed.error')

export class HeedError extends Error {
  readonly code: HeedErrorCode

  constructor(code: HeedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = code === 'aborted' ? 'AbortError' : 'HeedError'
    this.code = code
    Object.defineProperty(this, brand, { value: true })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== HeedError) return Function.prototype[Symbol.hasInstance].call(this, value)
    return typeof value === 'object' && value !== null && brand in value
  }

  /** Keeps the code of an error that has one of ours, such as the engine's; anything else is a crash. */
  static from(error: unknown): HeedError {
    if (error instanceof HeedError) return error
    const { code, message } = error as Partial<HeedError> ?? {}
    return new HeedError(codes.has(code) ? code! : 'crashed', message ?? String(error), { cause: error })
  }

  static aborted(signal?: WebAbortSignal): HeedError {
    return new HeedError('aborted', 'The call was aborted', { cause: signal?.reason })
  }
}
