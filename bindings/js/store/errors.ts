// The errors of the store.
import { HeedError } from '../wire/errors.js'

export const wrongFile = (message: string) => new HeedError('invalid-file', message)

export const wrongSum = (name: string, is: string, expected: string) =>
  wrongFile(`${name} is not the expected file: its SHA-256 is ${is}, and should be ${expected}`)

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`

export const cannotStore = () =>
  new HeedError(
    'unsupported',
    'Models cannot be stored here: the browser gives this page or ' + 'window no storage, or this thread cannot write to it',
  )

export const noSpace = (needed: number, free: number) =>
  new HeedError(
    'out-of-space',
    `storing the model needs ${megabytes(needed)}, but only ${megabytes(free)} are free; ${megabytes(needed - free)} more are needed`,
  )

/** The error if the holder of a lock hangs or is frozen. */
export const silentHolder = (holder: 'tab' | 'process', lock: string, patienceMs: number) =>
  new HeedError('io', `Another ${holder} holds the model's lock, ${lock}, and has reported nothing for ${patienceMs / 1000} s`)

/** Converts the error of a failed read. */
export const notRead = (name: string, error: unknown) =>
  error instanceof HeedError
    ? error
    : new HeedError('io', `${name}: the store's file cannot be read: ${(error as Error).message}`, { cause: error })

/** Converts the error of a failed write. */
export function notWritten(error: unknown): HeedError {
  if (error instanceof HeedError) return error
  const { name, code, message } = error as { name?: string; code?: string; message?: string }
  const isFull = name === 'QuotaExceededError' || code === 'ENOSPC' || code === 'EDQUOT'
  return new HeedError(isFull ? 'out-of-space' : 'io', `The store cannot be written to: ${message}`, { cause: error })
}
