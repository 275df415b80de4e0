// Calls with arguments in JSON: formats/tagged-json.ts, bare-json.ts, named-json.ts and harmony.ts read them.
import type { Outline } from '../../wire/constraint.js'
import { anyCall, argumentsOf, type CalledTool, control, type Following, gap, wideGap, type WriteCalls } from './parts.js'

/** An object with a name and arguments; `first` precedes them. */
const call =
  (nameKey: string, argumentsKey: string, first: Outline = '') =>
  (tool: CalledTool): Outline => [
    '{',
    first,
    `"${nameKey}":`,
    gap,
    JSON.stringify(tool.name),
    ',',
    gap,
    `"${argumentsKey}":`,
    gap,
    argumentsOf(tool),
    '}',
  ]
const list = (one: Outline, follow: Following): Outline => ['[', wideGap, follow(one, [',', wideGap]), wideGap, ']']

const named = anyCall(call('name', 'arguments'))
const numbered = anyCall(
  call('tool_name', 'parameters', ['"tool_call_id":', gap, { notation: 'regex', text: '"[0-9]{1,2}",' }, gap]),
)

/** <tool_call>{…}</tool_call>; other markers enclose a list of calls. */
export const hermes: WriteCalls = (tools, opener, follow) => {
  const close = opener.replace('<', '</')
  return [gap, opener === '<tool_call>' ? named(tools) : list(named(tools), follow), gap, control(close)]
}
export const tagged =
  (close: string): WriteCalls =>
  (tools, _, follow) => [gap, list(named(tools), follow), control(close)]
/** functools[{…}], or <|tool_call|>[{…}]<|/tool_call|> if the template says so. */
export const phi4Mini: WriteCalls = (tools, opener, follow) =>
  tagged(opener === 'functools' ? '' : '<|/tool_call|>')(tools, opener, follow)
export const commandR7b: WriteCalls = (tools, _, follow) => [gap, list(numbered(tools), follow), gap, control('<|END_ACTION|>')]
export const bare: WriteCalls = (tools, _, follow) => ({ oneOf: [named(tools), list(named(tools), follow)] })
export const llama3: WriteCalls = (tools, _, follow) => follow(anyCall(call('name', 'parameters'))(tools), [';', gap])

/** The name, a separator, and the arguments. */
const separated =
  (separator: string) =>
  (tool: CalledTool): Outline => [tool.name, control(separator), argumentsOf(tool)]
export const mistralArgs = anyCall(separated('[ARGS]'))

const [begin, separator, end] = ['<｜tool▁call▁begin｜>', '<｜tool▁sep｜>', '<｜tool▁call▁end｜>']
const deepseek =
  (one: (tool: CalledTool) => Outline): WriteCalls =>
  (tools, opener, follow) => [
    opener === begin ? '' : control(begin),
    follow([anyCall(one)(tools), control(end)], [gap, control(begin)]),
    gap,
    control('<｜tool▁calls▁end｜>'),
  ]
export const deepseekV31 = deepseek(separated(separator))
export const deepseekR1 = deepseek(tool => ['function', control(separator), tool.name, '\n```json\n', argumentsOf(tool), '\n```'])

const kimiCall = anyCall(tool => [
  `functions.${tool.name}:`,
  { notation: 'regex', text: '[0-9]{1,2}' },
  control('<|tool_call_argument_begin|>'),
  argumentsOf(tool),
  control('<|tool_call_end|>'),
])
/** Another marker, `before` in index.ts, opens the section of calls. The reader drops it. */
export const kimi: WriteCalls = (tools, opener, follow) => [
  follow(kimiCall(tools), control(opener)),
  control('<|tool_calls_section_end|>'),
]

/** The rest of a call's message, after <|channel|>commentary. */
export const harmony = anyCall(tool => [
  ` to=functions.${tool.name}`,
  { oneOf: ['', ' ', control(' <|constrain|>json')] },
  control('<|message|>'),
  argumentsOf(tool),
])
