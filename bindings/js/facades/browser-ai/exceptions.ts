// The exceptions of the web platform that the browsers' AI interfaces throw. Their `cause` is Heed's own error.
import { onAbort } from '../../page/on-abort.js'
import type { HeedErrorCode } from '../../wire/errors.js'

type Quota = { readonly quota: number; readonly requested: number }

export function exception(name: string, message: string, cause?: unknown): DOMException {
  const made = new DOMException(message, name)
  if (cause !== undefined) Object.defineProperty(made, 'cause', { value: cause, configurable: true, writable: true })
  return made
}

class OwnQuotaExceededError extends DOMException {
  readonly quota: number
  readonly requested: number

  constructor(message: string, { quota, requested }: Quota) {
    super(message, 'QuotaExceededError')
    this.quota = quota
    this.requested = requested
  }
}

/** `QuotaExceededError` is a class of its own in new browsers; it is a DOMException in all. */
export function quotaExceeded(requested: number, quota: number): DOMException {
  const { QuotaExceededError = OwnQuotaExceededError } = globalThis as {
    QuotaExceededError?: new (message: string, options: Quota) => DOMException
  }
  return new QuotaExceededError(`The prompt needs ${requested} tokens, but the context has room for ${quota}`, { quota, requested })
}

const names: Partial<Record<HeedErrorCode, string>> = {
  unsupported: 'NotSupportedError',
  disposed: 'InvalidStateError',
  aborted: 'AbortError',
  network: 'NetworkError',
  io: 'NotReadableError',
  'context-overflow': 'QuotaExceededError',
}

/**
 * Converts Heed's errors to those of the web platform, and returns other errors unchanged. `otherwise` is the exception's name
 * for codes without an exception of their own.
 */
export function translated(error: unknown, otherwise: string): unknown {
  const { code, message } = (error as { code?: HeedErrorCode; message: string }) ?? {}
  if (typeof code !== 'string') return error
  if (code === 'invalid-argument') return new TypeError(message, { cause: error })
  return exception(names[code] ?? otherwise, message, error)
}

/** Settles as `promise` does, but rejects at once with the signal's reason when it is aborted. */
export function abortable<Result>(promise: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject).finally(onAbort(signal, () => reject(signal.reason)))
  })
}

/** A signal that is aborted when one of several is. */
export const anyOf = (...signals: readonly (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter(signal => signal !== undefined))
