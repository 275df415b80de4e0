// Changes to messages that a template does not accept, as in llama.cpp; accepted messages are not changed. Each change maps a
// conversation to another one, and render.ts finds out which changes a template needs.
import { parseObject } from './json.js'
import { Dict, List, Text, type Value } from './jinja/index.js'
import { toJson } from './jinja/printing.js'
import { isNone } from './no-arguments.js'

/**
 * The messages for a template, and the lists that may also need adapting. An absent list is not passed at all; null becomes None.
 */
export interface TemplateMessages {
  readonly messages: readonly Dict[]
  readonly lists: ReadonlyMap<string, Value>
}

/** Returns the changed conversation, or undefined if there is nothing to change. */
export type Change = (conversation: TemplateMessages) => TemplateMessages | undefined

export const text = (value: string) => new Text(value)
export const roleOf = (message: Dict) => (message.text('role') as Text).value

export const changed = (message: Dict, key: string, value: Value): Dict => {
  const copy = new Dict(message.entries, true)
  copy.set(text(key), value)
  return copy
}

const textPart = (content: Text) =>
  new Dict(
    [
      [text('type'), text('text')],
      [text('text'), content],
    ],
    true,
  )

/** A change that applies to each message separately. */
export const ofMessages =
  (change: (message: Dict) => Dict): Change =>
  conversation => {
    const messages = conversation.messages.map(change)
    return messages.some((message, at) => message !== conversation.messages[at]) ? { ...conversation, messages } : undefined
  }

/** The text of a list of parts, if all of them are text. */
export function textOfParts(content: Value | undefined): Text | undefined {
  if (!(content instanceof List)) return undefined
  const texts = content.items.map(part => (part instanceof Dict ? part.text('text') : part))
  return texts.every(one => one instanceof Text) ? Text.join(texts as Text[]) : undefined
}

export const joinParts = ofMessages(message => {
  const joined = textOfParts(message.text('content'))
  return joined ? changed(message, 'content', joined) : message
})

/** Makes texts lists with one part, which some templates of models that see expect, such as SmolVLM's. */
const inParts = (isMeant: (content: Text) => boolean) =>
  ofMessages(message => {
    const content = message.text('content')
    return content instanceof Text && isMeant(content) ? changed(message, 'content', new List([textPart(content)], true)) : message
  })
export const asParts = inParts(() => true)
/** These templates ask for the first element, which an empty text lacks. */
const emptyAsParts = inParts(content => content.value === '')

export const emptyNull = ofMessages(message =>
  message.text('content') === null ? changed(message, 'content', Text.empty) : message,
)

/** Leaves out the lists that the caller did not give, for which transformers passes None. */
export const dropNone: Change = conversation => {
  const lists = new Map([...conversation.lists].filter(([, list]) => list !== null))
  return lists.size < conversation.lists.size ? { ...conversation, lists } : undefined
}

const developerAsSystem = ofMessages(message =>
  roleOf(message) === 'developer' ? changed(message, 'role', text('system')) : message,
)

/** Changes the arguments of each call. `change` gets undefined if there are none, and returns undefined to change nothing. */
const ofArguments = (change: (value: Value | undefined) => Value | undefined) =>
  ofMessages(message => {
    const calls = message.text('tool_calls')
    if (!(calls instanceof List)) return message
    let isChanged = false
    const items = calls.items.map(call => {
      const inner = call instanceof Dict ? call.text('function') : undefined
      const holder = inner instanceof Dict ? inner : call
      const other = holder instanceof Dict && holder.has(text('name')) ? change(holder.text('arguments')) : undefined
      if (other === undefined) return call
      isChanged = true
      const copy = changed(holder as Dict, 'arguments', other)
      return holder === inner ? changed(call as Dict, 'function', copy) : copy
    })
    return isChanged ? changed(message, 'tool_calls', new List(items, true)) : message
  })

/** Represents missing arguments as an empty object, whatever a model, a server or a client's language has written instead. */
export const fillArguments = ofArguments(value =>
  value === undefined ||
  value === null ||
  (value instanceof List && value.items.length === 0) ||
  (value instanceof Text && isNone(value.value))
    ? new Dict([], true)
    : undefined,
)
export const argumentsAsObjects = ofArguments(value => (value instanceof Text ? parseObject(value.value) : undefined))
const argumentsAsText = ofArguments(value => (value instanceof Dict ? asJson(value) : undefined))

/** A value from the caller as JSON; an object that was JSON is spelled as it was. */
export const asJson = (value: Value): Text =>
  value instanceof Dict && value.json !== undefined
    ? Text.data(value.json)
    : toJson(value, { separators: [Text.data(', '), Text.data(': ')], sortKeys: false, ascii: false })

/** Moves the system message to the beginning of the first user message. */
const mergeSystem: Change = conversation => {
  const [system, ...rest] = conversation.messages
  if (!system || !['system', 'developer'].includes(roleOf(system))) return undefined
  const at = rest.findIndex(message => roleOf(message) === 'user')
  const content = system.text('content')
  const first = content instanceof List ? textOfParts(content) : content === null ? Text.empty : content
  const user = rest[at]?.text('content')
  if (!(first instanceof Text)) return undefined
  if (user instanceof Text) {
    const merged = first.trim().value === '' ? user : Text.join([first, Text.data('\n\n'), user])
    rest[at] = changed(rest[at]!, 'content', merged)
  } else if (user instanceof List) {
    const part = textPart(Text.join([first, Text.data('\n\n')]))
    rest[at] = changed(rest[at]!, 'content', new List([part, ...user.items], true))
  } else return undefined
  return { ...conversation, messages: rest }
}

/** The changes in the order in which they are tried after an error. */
export const changes: readonly Change[] = [
  dropNone,
  developerAsSystem,
  joinParts,
  emptyNull,
  argumentsAsObjects,
  argumentsAsText,
  emptyAsParts,
  mergeSystem,
]

export { developerAsSystem }
