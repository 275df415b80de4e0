// Calls with literals of a language, which formats/literals.ts reads.
import { HeedError } from '../../wire/errors.js'
import type { Outline } from '../../wire/constraint.js'
import { inOrder, type Member, membersOf, type Writing } from './members.js'
import { anyCall, type CalledTool, control, gap, json, optional, several, upTo, type WriteCalls } from './parts.js'

/** A key without quotes. Throws `unsupported` for one that needs them. */
function bare(key: string): string {
  if (/^[\p{L}\p{N}_.$-]+$/u.test(key)) return key
  throw new HeedError('unsupported', `tools: the key ${JSON.stringify(key)} cannot stand in this model's calls`)
}

/** call:clock{zone:<|"|>CET<|"|>,hours:[1,2]}, with `quote` around texts. */
function gemma(close: string, quote: string) {
  const object = (members: readonly Member[]): Outline => [
    '{',
    inOrder(members, ',', ({ key, value }) => [`${bare(key)}:`, value]),
    '}',
  ]
  const writing: Writing = {
    text: [control(quote), upTo(quote)],
    given: text => [control(quote), text, control(quote)],
    literals: {
      words: { true: 'true', false: 'false', null: 'null' },
      object,
      array: item => ['[', optional(several(item, ',')), ']'],
    },
  }
  const call = anyCall(tool => [`call:${tool.name}`, object(membersOf(tool, writing))])
  return (tools: readonly CalledTool[]): Outline => [call(tools), control(close)]
}
export const gemma4 = gemma('<tool_call|>', '<|"|>')
export const functionGemma = gemma('<end_function_call>', '<escape>')

const comma: Outline = [',', gap]
const python: Writing = {
  text: json({ type: 'string' }, 'a text'),
  given: text => JSON.stringify(text),
  literals: {
    words: { true: 'True', false: 'False', null: 'None' },
    object: members => ['{', inOrder(members, comma, ({ key, value }) => [JSON.stringify(key), ':', gap, value]), '}'],
    array: item => ['[', optional(several(item, comma)), ']'],
  },
}
const pythonCall = anyCall(tool => [
  `${tool.name}(`,
  inOrder(membersOf(tool, python), comma, ({ key, value }) => [`${bare(key)}=`, value]),
  ')',
])

/** [clock(zone="CET", hours=[1, 2])]: Python calls; strings are written as in JSON. */
export const lfm2: WriteCalls = (tools, _, follow) => ['[', follow(pythonCall(tools), comma), ']', control('<|tool_call_end|>')]
