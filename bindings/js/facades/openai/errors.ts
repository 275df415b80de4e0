// The errors of requests, which name the parameter, and their form in OpenAI's API.
import { HeedError, type HeedErrorCode } from '../../wire/errors.js'

/** A HeedError that names the wrong parameter, such as `messages[0].content`. */
export class ParameterError extends HeedError {
  readonly param: string

  /** @internal */
  constructor(param: string, problem: string, code: HeedErrorCode = 'invalid-argument') {
    super(code, `${param}: ${problem}`)
    this.param = param
  }
}

/** The model, the URL or the response does not exist. */
export class NotFoundError extends ParameterError {}

/** The body of an error response. */
export interface ErrorBody {
  readonly error: {
    readonly message: string
    readonly type: 'invalid_request_error' | 'server_error'
    readonly param: string | null
    readonly code: string
  }
}

/** Errors that the caller can correct. */
export const ofRequests: readonly string[] = [
  'invalid-argument',
  'unsupported',
  'template',
  'context-overflow',
] satisfies HeedErrorCode[]

/** Adds the words by which many clients recognize a conversation that is too long, and shorten it. */
const inOpenAIsWords = (message: string) => message.replace(/^.*?(\d+)$/, "This model's maximum context length is $1 tokens: $&")

/** An error as OpenAI's API returns it: an HTTP status and a body. */
export function answerOf(thrown: unknown): { status: number; body: ErrorBody } {
  const { code, message } = HeedError.from(thrown)
  const param = thrown instanceof ParameterError ? thrown.param : null
  const isOfRequest = param !== null || ofRequests.includes(code)
  const isMissing = thrown instanceof NotFoundError
  return {
    status: isMissing ? 404 : isOfRequest ? 400 : 500,
    body: {
      error: {
        message: code === 'context-overflow' ? inOpenAIsWords(message) : message,
        type: isOfRequest ? 'invalid_request_error' : 'server_error',
        param,
        code: isMissing
          ? `${param!.replace(/_id$/, '')}_not_found`
          : code === 'context-overflow'
            ? 'context_length_exceeded'
            : code,
      },
    },
  }
}
