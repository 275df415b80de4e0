// Gives an error that arrives after a call has returned the stack of that call: it then shows where the call was made, not the
// message handler that received the error.
import { HeedError } from '../wire/errors.js'
import { beginReading } from './readers.js'

/**
 * Returns the error with the stack of `call`, an Error created at the call. A HeedError is copied, because several calls may fail
 * with the same one.
 */
function calledFrom(error: unknown, { stack }: Error): unknown {
  if (!(error instanceof HeedError) || stack === undefined) return error
  const { code, message } = error
  const own = Object.getPrototypeOf(error) === HeedError.prototype ? new HeedError(code, message, error) : error
  own.stack = stack.replace(/^Error(?=\n)/, () => String(own)) // V8's stacks begin with the error
  return own
}

/** Reads arguments. An error deep inside a reader, whose stack has only the reader's frames, gets the caller's stack. */
export function reading<Result>(read: () => Result): Result {
  try {
    beginReading()
    return read()
  } catch (error) {
    throw calledFrom(error, new Error())
  }
}

/** Settles like `running`, but with the stack of the caller. Must be called before the caller has returned. */
export function withCaller<Result>(running: Promise<Result>): Promise<Result> {
  const call = new Error()
  return running.catch(error => {
    throw calledFrom(error, call)
  })
}
