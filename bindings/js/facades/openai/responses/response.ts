// A response: the fields that repeat its request, and the result.
import type { ChatTool } from '../../../chat/types.js'
import type { ChatResult } from '../../../page/chat/messages.js'
import { now } from '../directory.js'
import type { Read } from '../read.js'
import { newId, type Output } from './output.js'
import type { parametersOf } from './parameters.js'
import type { Response, ResponseFunctionTool } from './types.js'

export type Request = Read<ReturnType<typeof parametersOf>>

const toolOf = ({ function: { name, description, parameters, strict } }: ChatTool): ResponseFunctionTool => ({
  type: 'function',
  name,
  ...(description !== undefined && { description }),
  parameters: (parameters ?? null) as ResponseFunctionTool['parameters'],
  strict: strict === true,
})

/** The response to a request, as it begins. */
export const begunResponse = (request: Request, model: string): Response => ({
  id: newId('resp'),
  object: 'response',
  created_at: now(),
  completed_at: null,
  status: 'in_progress',
  background: request.background ?? false,
  error: null,
  incomplete_details: null,
  instructions: request.instructions ?? null,
  max_output_tokens: request.max_output_tokens ?? null,
  metadata: (request.metadata ?? {}) as Record<string, string>,
  model,
  output: [],
  output_text: '',
  parallel_tool_calls: request.parallel_tool_calls ?? true,
  previous_response_id: request.previous_response_id ?? null,
  reasoning: {
    effort: (request.reasoning?.effort ?? null) as Response['reasoning']['effort'],
    summary: summaryOf(request) ?? null,
  },
  store: request.store ?? true,
  temperature: request.temperature ?? null,
  text: { format: request.text?.format?.given ?? { type: 'text' }, verbosity: 'medium' },
  tool_choice: request.tool_choice?.given ?? 'auto',
  tools: (request.tools ?? []).map(toolOf),
  top_logprobs: request.top_logprobs ?? 0,
  top_p: request.top_p ?? null,
  truncation: request.truncation ?? 'disabled',
  access_programs: null,
})

export const summaryOf = ({ reasoning }: Request) => reasoning?.summary ?? reasoning?.generate_summary

/** The response with the output so far. */
export function withOutput(response: Response, { items }: Output): Response {
  const texts = items.flatMap(item => (item.type === 'message' ? item.content.map(({ text }) => text) : []))
  return { ...response, output: [...items], output_text: texts.join('') }
}

/** The response at the end of its chat. */
export function endedResponse(response: Response, output: Output, { finishReason, usage }: ChatResult): Response {
  const isComplete = finishReason === 'stop' || finishReason === 'tool-calls'
  return {
    ...withOutput(response, output),
    status: isComplete ? 'completed' : 'incomplete',
    completed_at: isComplete ? now() : null,
    incomplete_details: isComplete ? null : { reason: 'max_output_tokens' },
    usage: {
      input_tokens: usage.promptTokens,
      input_tokens_details: { cached_tokens: usage.reusedTokens, cache_write_tokens: 0 },
      output_tokens: usage.generatedTokens,
      output_tokens_details: { reasoning_tokens: output.reasoningTokens },
      total_tokens: usage.promptTokens + usage.generatedTokens,
    },
  }
}
