// The events of a response, from its creation to its end.
import type { Chat } from '../../../page/chat/conversation.js'
import { HeedError } from '../../../wire/errors.js'
import type { Output, Told } from './output.js'
import { endedResponse, withOutput } from './response.js'
import type { Response, ResponseStreamEvent } from './types.js'

/**
 * The events of a response that a chat writes; none once `stop` is aborted. The first ones come with the chat's first report, so that a
 * request that fails has none. `end` gets the response before its last event.
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

/** The response that an error has ended. */
export const failedResponse = (response: Response, output: Output, error: unknown): Response => ({
  ...withOutput(response, output),
  status: 'failed',
  error: { code: 'server_error', message: HeedError.from(error).message },
})

/** Events whose failure, once they have begun, is the last of them. */
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
