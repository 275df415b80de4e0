// Changes for templates with ways of their own to get tools, calls and reasoning, which transformers leaves to the caller: under
// another name, within the system message, or as part of a text.
import { asJson, type Change, changed, ofMessages, roleOf, text, textOfParts } from './adapt.js'
import { parseObject } from './json.js'
import { Dict, List, Text, type Value } from './jinja/index.js'
import { toRepr } from './jinja/printing.js'
import type { CallFamily } from './types.js'

/** The descriptions of tools, without OpenAI's wrapper; undefined if there are none. */
function described(tools: Value | undefined): List | undefined {
  if (!(tools instanceof List)) return undefined
  return new List(
    tools.items.map(tool => (tool instanceof Dict && tool.text('function')) || tool),
    true,
  )
}

/** SmolLM3 gets tools as `xml_tools`. */
const asXmlTools: Change = ({ messages, lists }) => {
  const tools = described(lists.get('tools'))
  return tools && { messages, lists: new Map([...lists, ['xml_tools', tools]]) }
}

/** Phi-4 mini gets tools as JSON, a property of the system message. */
const inSystemMessage: Change = ({ messages, lists }) => {
  const tools = described(lists.get('tools'))
  if (!tools) return undefined
  const [first] = messages
  const system =
    first && roleOf(first) === 'system'
      ? first
      : new Dict([
          [text('role'), text('system')],
          [text('content'), text('You are a helpful assistant with some tools.')],
        ])
  return { lists, messages: [changed(system, 'tools', asJson(tools)), ...messages.slice(system === first ? 1 : 0)] }
}

/** A call as data: its name, and its arguments if they are an object. */
type Called = readonly [name: Text, args: Dict]
type Notation = (calls: readonly Called[]) => Text

const object = ([name, args]: Called) =>
  Text.join([text('{"name": '), asJson(name), text(', "arguments": '), asJson(args), text('}')])
const joined = (open: string, calls: readonly Text[], close: string, between = ', ') =>
  Text.join([text(open), Text.join(calls, text(between)), text(close)])

const python: Notation = calls =>
  joined(
    '<|tool_call_start|>[',
    calls.map(([name, args]) => {
      const given = args.entries.map(([key, value]) =>
        Text.join([key as Text, text('='), value instanceof Text ? asJson(value) : toRepr(value)]),
      )
      return Text.join([name, joined('(', given, ')')])
    }),
    ']<|tool_call_end|>',
  )

/** The notations of families with templates that leave out calls. */
const notations: Partial<Record<CallFamily, Notation>> = {
  lfm2: python,
  hermes: calls => joined('<tool_call>\n', calls.map(object), '\n</tool_call>', '\n</tool_call>\n<tool_call>\n'), // SmolLM3, Falcon-H1
  granite3: calls => joined('<|tool_call|>[', calls.map(object), ']'),
  'phi4-mini': calls => joined('functools[', calls.map(object), ']'),
}

const calledIn = (message: Dict): readonly Called[] => {
  const calls = message.text('tool_calls')
  return (calls instanceof List ? calls.items : []).flatMap((call): Called[] => {
    const inner = call instanceof Dict ? (call.text('function') ?? call) : undefined
    const name = inner instanceof Dict ? inner.text('name') : undefined
    const given = inner instanceof Dict ? inner.text('arguments') : undefined
    const args = given instanceof Text ? parseObject(given.value) : given
    return name instanceof Text && args instanceof Dict ? [[name, args]] : []
  })
}

/** Writes calls at the end of a message's content, as the model wrote them. */
const inContent = (write: Notation): Change =>
  ofMessages(message => {
    const calls = calledIn(message)
    const content = message.text('content') ?? Text.empty
    const before = content instanceof List ? textOfParts(content) : content
    if (calls.length === 0 || !(before instanceof Text)) return message
    const written = write(calls)
    return changed(message, 'content', before.value.trim() === '' ? written : Text.join([before, text('\n'), written]))
  })

/** Some templates get reasoning as `thinking`; that of gpt-oss rejects it beside a text with calls. */
const asThinking = ofMessages(message => {
  const thoughts = message.text('reasoning_content')
  const content = message.text('content')
  const hasText = content instanceof Text && content.value.trim() !== ''
  return !(thoughts instanceof Text) || message.has(text('thinking')) || (hasText && message.has(text('tool_calls')))
    ? message
    : changed(message, 'thinking', thoughts)
})

/** The changes that a template needs, given the format of its calls and the caller's variables. */
export function ownWays(source: string, calls: CallFamily | undefined, variables: ReadonlyMap<string, Value>): Change[] {
  const notation = calls === undefined || source.includes('tool_calls') ? undefined : notations[calls]
  return [
    ...(source.includes('xml_tools') && !variables.has('xml_tools') && !variables.has('python_tools') ? [asXmlTools] : []),
    ...(source.includes("message['tools']") ? [inSystemMessage] : []),
    ...(/message(?:\.|\[["'])thinking\b/.test(source) && !source.includes('reasoning_content') ? [asThinking] : []),
    ...(notation ? [inContent(notation)] : []),
  ]
}
