// Calls with arguments in JSON: formats/tagged-json.ts, bare-json.ts, named-json.ts and harmony.ts read them.
import type { Outline } from '../../wire/form.js'
import { anyCall, argumentsOf, type CalledTool, control, gap, several, wideGap } from './parts.js'

/** An object with a name and arguments; `first` comes before them. */
const call = (nameKey: string, argumentsKey: string, first: Outline = '') => (tool: CalledTool): Outline => [
  '{', first, `"${nameKey}":`, gap, JSON.stringify(tool.name), ',', gap, `"${argumentsKey}":`, gap, argumentsOf(tool), '}',
]
const list = (one: Outline): Outline => ['[', wideGap, several(one, [',', wideGap]), wideGap, ']']

const named = anyCall(call('name', 'arguments'))
const numbered = anyCall(call('tool_name', 'parameters', ['"tool_call_id":', gap, { notation: 'regex', text: '"[0-9]{1,2}",' }, gap]))

/** <tool_call>{…}</tool_call>; the other markers are around lists. */
export const hermes = (tools: readonly CalledTool[], opener: string): Outline => {
  const close = opener.replace('<', '</')
  return [gap, opener === '<tool_call>' ? named(tools) : list(named(tools)), gap, control(close)]
}
export const tagged = (close: string) => (tools: readonly CalledTool[]): Outline => [gap, list(named(tools)), control(close)]
export const commandR7b = (tools: readonly CalledTool[]): Outline => [gap, list(numbered(tools)), gap, control('<|END_ACTION|>')]
export const bare = (tools: readonly CalledTool[]): Outline => ({ oneOf: [named(tools), list(named(tools))] })
export const llama3 = (tools: readonly CalledTool[]): Outline => several(anyCall(call('name', 'parameters'))(tools), [';', gap])

/** The name, what separates it from the arguments, and the arguments. */
const separated = (separator: string) => (tool: CalledTool): Outline => [tool.name, control(separator), argumentsOf(tool)]
export const mistralArgs = anyCall(separated('[ARGS]'))

const [begin, separator, end] = ['<｜tool▁call▁begin｜>', '<｜tool▁sep｜>', '<｜tool▁call▁end｜>']
const deepseek = (one: (tool: CalledTool) => Outline) => (tools: readonly CalledTool[], opener: string): Outline => {
  const rest: Outline = [anyCall(one)(tools), control(end)]
  const another: Outline = { many: [gap, control(begin), rest] }
  return [opener === begin ? '' : control(begin), rest, another, gap, control('<｜tool▁calls▁end｜>')]
}
export const deepseekV31 = deepseek(separated(separator))
export const deepseekR1 = deepseek(tool => ['function', control(separator), tool.name, '\n```json\n', argumentsOf(tool), '\n```'])

const kimiCall = anyCall(tool => [
  `functions.${tool.name}:`, { notation: 'regex', text: '[0-9]{1,2}' }, control('<|tool_call_argument_begin|>'), argumentsOf(tool), control('<|tool_call_end|>'),
])
/** The section around the calls has a marker of its own, which the reader drops. */
export const kimi = (tools: readonly CalledTool[], opener: string): Outline =>
  [several(kimiCall(tools), control(opener)), control('<|tool_calls_section_end|>')]

/** After <|channel|>commentary. */
export const harmony = anyCall(tool => [
  ` to=functions.${tool.name}`, { oneOf: ['', ' ', control(' <|constrain|>json')] }, control('<|message|>'), argumentsOf(tool),
])
