// The events of a response, from its creation to its end.
import type { Chat } from '../../../page/chat/conversation.js'
import { HeedError } from '../../../wire/errors.js'
import type { Output, Told } from './output.js'
import { endedResponse, withOutput } from './response.js'
import type { Response, ResponseStreamEvent } from './types.js'

/**
 * The events of the response that a chat writes; no more once `stop` is aborted. The first event comes with the chat's first
 * report, so a request that fails has none. `end` receives the response before its last event.
 */
export async function* eventsOf(
  chat: Chat,
  response: Response,
  output: Output,
  stop: AbortSignal,
  end: (response: Response) => void,
): AsyncGenerator<ResponseStreamEvent> {
  let count = 0
  const numbered = (told: Told) => ({ ...told, sequence_number: count++ }) as ResponseStreamEvent
  const reports = chat[Symbol.asyncIterator]()
  let report = await reports.next()
  yield numbered({ type: 'response.created', response })
  yield numbered({ type: 'response.in_progress', response })
  for (; !report.done; report = await reports.next()) {
    for (const told of await output.told(report.value)) yield numbered(told)
  }
  const result = await chat
  if (stop.aborted) return
  const { status } = endedResponse(response, output, result)
  for (const told of output.end(status === 'completed' ? status : 'incomplete')) yield numbered(told)
  const ended = endedResponse(response, output, result)
  end(ended)
  yield numbered({ type: `response.${status as 'completed' | 'incomplete'}`, response: ended })
}

/** A response that was ended by an error. */
export const failedResponse = (response: Response, output: Output, error: unknown): Response => ({
  ...withOutput(response, output),
  status: 'failed',
  error: { code: 'server_error', message: HeedError.from(error).message },
})

/** Passes events through; if they fail after the first one, adds a last event for the error. */
export async function* orFailure(
  events: AsyncGenerator<ResponseStreamEvent>,
  output: Output,
  stop: AbortSignal,
): AsyncGenerator<ResponseStreamEvent> {
  let first: ResponseStreamEvent | undefined
  let sequence_number = 0
  try {
    for await (const event of events) {
      first ??= event
      sequence_number = event.sequence_number + 1
      yield event
    }
  } catch (error) {
    if (first?.type !== 'response.created' || stop.aborted) throw error
    yield { type: 'response.failed', sequence_number, response: failedResponse(first.response, output, error) }
  }
}
