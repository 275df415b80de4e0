// Fields of requests in the types of OpenAI's client (openai 7.59) that a model in a page does not use. Fields that concern only
// OpenAI's servers, or repeat a part of an answer, are ignored. Fields that would only influence the answer cause a warning. Fields
// that request anything but text and function calls are an error that says what is supported. tests/real/clients/fields.test.js
// covers all types. Clients that also serve other providers add marks for prompt caches, and return other providers' fields of
// answers: VS Code's Copilot (`copilot_cache_control`, `cot_id`, `media_type`) and LiteLLM (`provider_specific_fields`) among them.
import { ignored, list, noEffect, object, only, refused, text } from './read.js'

const functions = 'only functions are supported'

/** Fields of chats and responses. */
export const ofAnswering = {
  user: ignored(text),
  service_tier: ignored(text),
  safety_identifier: ignored(text),
  prompt_cache_key: ignored(text),
  prompt_cache_options: ignored(object),
  prompt_cache_retention: ignored(text),
  moderation: noEffect('nothing is moderated'),
}
export const verbosity = noEffect('how much to say is up to the model', 'medium')

export const ofChats = {
  ...ofAnswering,
  metadata: ignored(object),
  store: noEffect('nothing is stored', false),
  prediction: noEffect('the answer is not compared with it'),
  verbosity,
  modalities: list(only('answers are text', 'text')),
  audio: refused('answers are text'),
  web_search_options: refused('nothing is searched; give a tool that does'),
  functions: refused('the older form of `tools`'),
  function_call: refused('the older form of `tool_choice`'),
}
export const ofStreams = { include_obfuscation: ignored() }
/** Fields of messages, parts and tools. */
export const ofCaches = { cache_control: ignored(), copilot_cache_control: ignored() }
/** Fields of all messages. Programs that show a conversation keep ids in it. */
export const ofMessages = { id: ignored(), ...ofCaches }
export const ofProviders = { provider_specific_fields: ignored() }
export const ofAnswers = {
  ...ofProviders,
  reasoning_details: ignored(),
  thinking_blocks: ignored(),
  cot_id: ignored(),
  cot_summary: ignored(),
  annotations: ignored(),
  parsed: ignored(),
  audio: noEffect('answers are text'),
  function_call: refused('the older form of `tool_calls`'),
}
export const ofParts = { prompt_cache_breakpoint: ignored(), ...ofCaches }
/** Ax (24.0) spells `detail` as `details`. */
export const ofImages = { details: ignored(), media_type: ignored() }
/** Fields of an assistant's text parts, where @openai/agents (0.20) repeats the fields of the whole message. */
export const ofAnsweredParts = Object.fromEntries(
  ['role', 'tool_calls', 'reasoning_content', 'reasoning', 'refusal', ...Object.keys(ofAnswers)].map(name => [name, ignored()]),
)
export const ofCalls = { ...ofProviders, index: ignored(), extra_content: ignored(), custom: refused(functions) }
export const ofFunctions = { ...ofProviders, parsed_arguments: ignored() }
export const ofTools = { custom: refused(functions), ...ofCaches }
export const ofCompletions = {
  user: ignored(text),
  best_of: only('the best of several texts is not chosen', 1),
  suffix: refused('a text is continued at its end'),
}
