// Outlines of replies, for constraints: free reasoning, followed by a constrained answer or by tool calls in the family's format.
// formats/ parses the same texts.
import type { Marker, Outline } from '../../wire/constraint.js'
import { familyOf, formats } from '../formats/index.js'
import { thoughtsOf } from '../parser.js'
import type { CallFamily } from '../types.js'
import { bare, commandR7b, deepseekR1, deepseekV31, harmony, hermes, kimi, llama3, mistralArgs, phi4Mini, tagged } from './json.js'
import { functionGemma, gemma4, lfm2 } from './literals.js'
import { glm, minicpm5, qwenXml } from './markup.js'
import { type CalledTool, control, gap, optional, several, single, upTo, wideGap, type WriteCalls } from './parts.js'

export type { CalledTool } from './parts.js'

interface Writing {
  readonly calls: WriteCalls
  /** The text between calls if each call has a marker; undefined if one marker opens all calls of a reply. */
  readonly between?: Outline
  /** The text before the first call, such as a marker. */
  readonly before?: string
}

const writings: Readonly<Record<Exclude<CallFamily, 'harmony'>, Writing>> = {
  gemma4: { calls: gemma4, between: '' },
  functiongemma: { calls: functionGemma, between: '' },
  'deepseek-r1': { calls: deepseekR1 },
  'deepseek-v31': { calls: deepseekV31 },
  kimi: { calls: kimi, before: '<|tool_calls_section_begin|>' },
  'mistral-args': { calls: mistralArgs, between: '' },
  'mistral-json': { calls: tagged('') },
  'command-r7b': { calls: commandR7b },
  'qwen-xml': { calls: qwenXml, between: gap },
  minicpm5: { calls: minicpm5, between: gap },
  glm: { calls: glm, between: gap },
  lfm2: { calls: lfm2 },
  'phi4-mini': { calls: phi4Mini },
  granite3: { calls: tagged('') },
  hermes: { calls: hermes, between: gap },
  'llama3-json': { calls: llama3 },
  json: { calls: bare },
}

/** Where a reply begins. */
export interface Beginning {
  /** The template, in Jinja. */
  readonly source: string
  /** The end of the prompt, from the start of the model's turn. */
  readonly generationPrompt: string
  readonly think?: boolean
}

/** The markers around the reasoning of a reply, and whether the prompt has opened it. */
export interface Thoughts {
  readonly open: string
  readonly close: string
  readonly isBegun: boolean
}

/** The markers of a reply's reasoning; undefined if the prompt has ended it, `think` forbids it, or the template has none. */
function thoughtsFrom({ source, generationPrompt, think }: Beginning): Thoughts | undefined {
  const [open, close] = thoughtsOf(source)
  const opened = generationPrompt.lastIndexOf(open),
    closed = generationPrompt.lastIndexOf(close)
  const isBegun = opened > closed
  return !isBegun && (closed >= 0 || think === false || !source.includes(close)) ? undefined : { open, close, isBegun }
}

/** Reasoning, if there is any, and what follows it. `calls` may end the reasoning. */
function afterThoughts(beginning: Beginning, rest: Outline, calls: readonly Marker[] = []): Outline {
  const reasoning = thoughtsFrom(beginning)
  if (!reasoning) return rest
  const { open, close, isBegun } = reasoning
  if (calls.length === 0) {
    const thoughts: Outline = [isBegun ? '' : control(open), upTo(close), wideGap]
    return [isBegun ? thoughts : { oneOf: ['', thoughts] }, rest]
  }
  const thoughts: Outline = { until: [{ marker: close, next: [wideGap, rest] }, ...calls] }
  return isBegun ? thoughts : { oneOf: [[control(open), thoughts], rest] }
}

/** The markers of a reply's reasoning; to end it, the first of `closes` is written. Undefined if the reply does not reason. */
export function reasoningOf(beginning: Beginning): (Omit<Thoughts, 'close'> & { readonly closes: readonly string[] }) | undefined {
  const family = familyOf(beginning.source)
  if (family === 'harmony') return { open: '<|channel|>analysis<|message|>', closes: ['<|end|>'], isBegun: false }
  const thoughts = thoughtsFrom(beginning)
  if (!thoughts) return undefined
  const { open, close, isBegun } = thoughts
  const { open: calls, endsReasoning } = formats[family]
  return { open, isBegun, closes: endsReasoning ? [close, ...calls] : [close] }
}

/** Harmony's messages before the last one: reasoning, and text between calls. */
const messages: Outline = {
  many: [
    control('<|channel|>'),
    { oneOf: ['analysis', 'commentary'] },
    control('<|message|>'),
    upTo('<|end|>'),
    control('<|start|>assistant'),
  ],
}
const finalMessage = (text: Outline): Outline => [
  control('<|channel|>final'),
  optional(control(' <|constrain|>json')),
  control('<|message|>'),
  text,
]
const callMessage = (tools: readonly CalledTool[]): Outline => [control('<|channel|>commentary'), harmony(tools)]

/** An answer that matches a constraint. */
export const answerOutline = (beginning: Beginning, answer: Outline): Outline =>
  familyOf(beginning.source) === 'harmony' ? [messages, finalMessage(answer)] : afterThoughts(beginning, answer)

/**
 * Calls after optional reasoning: one or, unless `parallel` is false, several; or, if `answer` is given, an answer that matches it.
 * Throws `unsupported` for tools whose arguments cannot be constrained in the format.
 */
export function callsOutline(beginning: Beginning, tools: readonly CalledTool[], parallel: boolean, answer?: Outline): Outline {
  const family = familyOf(beginning.source)
  const or = (calls: Outline, other = answer): Outline => (other === undefined ? calls : { oneOf: [calls, other] })
  if (family === 'harmony') return [messages, or(callMessage(tools), answer && finalMessage(answer))]
  const { calls, between, before } = writings[family]
  const { open, endsReasoning } = formats[family]
  const opener = open.find(marker => beginning.source.includes(marker)) ?? open[0]
  const follow = parallel ? several : single
  if (formats[family].whole || opener === undefined) return afterThoughts(beginning, or(calls(tools, '', follow)))
  const first = calls(tools, opener, follow)
  const opened = [control(opener), first]
  const rest: Outline = between === undefined || !parallel ? '' : { many: [between, opened] }
  const all = [before === undefined ? '' : control(before), opened, rest]
  const begun = before === undefined ? [first, rest] : [opened, rest]
  return afterThoughts(beginning, or(all), endsReasoning ? [{ marker: before ?? opener, next: begun }] : [])
}

/**
 * Any reply; its calls, if any, must be of the given tools. Unless `parallel`, there is at most one call, and it ends the reply.
 */
export function replyOutline(beginning: Beginning, tools: readonly CalledTool[], parallel: boolean): Outline {
  const family = familyOf(beginning.source)
  if (family === 'harmony') return [messages, { oneOf: [callMessage(tools), finalMessage({ free: [] })] }]
  const { calls } = writings[family]
  const { open, endsReasoning } = formats[family]
  const follow = parallel ? several : single
  const markers = open.map(marker => ({ marker, next: calls(tools, marker, follow) }))
  const text: Outline = parallel ? { free: markers } : { once: markers }
  const rest = parallel ? text : ''
  if (!formats[family].whole) {
    return afterThoughts(beginning, text, endsReasoning ? markers.map(({ marker, next }) => ({ marker, next: [next, rest] })) : [])
  }
  // If a reply may be a call without a marker, text must begin differently from a call.
  const plain: Outline = [{ notation: 'regex', text: '\\s*[^\\s{\\[`]' }, text]
  const marked = markers.map(({ marker, next }): Outline => [control(marker), next, rest])
  return afterThoughts(beginning, { oneOf: ['', calls(tools, '', follow), plain, ...marked] })
}
