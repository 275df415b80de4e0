// Parameters of OpenAI's types for responses (openai 7.59) that have no effect here; ../unread.ts states the rules.
import { ignored, integer, noEffect, object, refused, text } from '../read.js'
import { ofAnswering } from '../unread.js'

export const ofResponses = {
  ...ofAnswering,
  access_programs: ignored(),
  background_options: ignored(),
  client_metadata: ignored(object), // of Codex
  image: ignored(),
  max_tool_calls: ignored(integer(1)), // limits calls of tools that OpenAI's servers run
  context_management: noEffect('nothing is compacted: `truncation: "auto"` leaves out the oldest turns'),
  conversation: refused('no conversations are kept: give the `previous_response_id`, or all items'),
  prompt: refused('no prompts are kept: give `instructions` and `input`'),
}
export const ofReasoning = { context: ignored(text), mode: ignored(text) }
/** Fields of items that clients send back: other providers return them, or OpenAI's client adds them when it parses. */
export const ofItems = {
  id: ignored(),
  status: ignored(),
  phase: ignored(),
  encrypted_content: ignored(),
  internal_chat_message_metadata_passthrough: ignored(), // of Codex, which takes every server called OpenAI for OpenAI's
}
export const ofOutputTexts = { annotations: ignored(), logprobs: ignored(), parsed: ignored() }
export const ofCalls = {
  ...ofItems,
  async: ignored(),
  caller: ignored(),
  created_by: ignored(),
  namespace: ignored(),
  parsed_arguments: ignored(),
}
export const ofTools = {
  allowed_callers: ignored(),
  async: ignored(),
  output_schema: ignored(object),
  defer_loading: noEffect('all tools are shown at once', false),
}
