// Renders a conversation. If the template rejects it, prints a message's content as a Python value, or omits the model's turn,
// looks for changes (adapt.ts) with which the template accepts it.
import { refuse } from '../wire/errors.js'
import {
  argumentsAsObjects,
  asParts,
  changes,
  developerAsSystem,
  dropNone,
  emptyNull,
  fillArguments,
  joinParts,
  type TemplateMessages,
  textOfParts,
} from './adapt.js'
import { ownWays } from './own-ways.js'
import { Dict, List, renderTemplate, TemplateError, Text, type Budget, type Statement, type Value } from './jinja/index.js'
import type { CallFamily } from './types.js'

export interface Job {
  readonly body: Statement
  readonly source: string
  /** All variables except the messages, the tools and the documents. */
  readonly variables: ReadonlyMap<string, Value>
  readonly now: Date
  readonly budget: Budget
  /** The format of calls, where it is known. */
  readonly calls?: CallFamily
  /** Whether arguments that are JSON become objects before the template sees them. */
  readonly readsArguments: boolean
}

interface Attempt {
  readonly text: Text
  readonly conversation: TemplateMessages
  readonly printedNone: boolean
  readonly printedList: boolean
}

/** Renders exactly this conversation, once. Throws a TemplateError. */
function attempt(job: Job, conversation: TemplateMessages): Attempt {
  const contents = new Set(conversation.messages.map(message => message.text('content')))
  let printedNone = false
  let printedList = false
  const variables = new Map<string, Value>([
    ...conversation.lists,
    ['messages', new List([...conversation.messages], true)],
    ...job.variables,
  ])
  const text = renderTemplate(job.body, {
    ...job,
    variables,
    printed(value) {
      printedNone ||= value === null
      printedList ||= value instanceof List && contents.has(value)
    },
  })
  return { text, conversation, printedNone, printedList }
}

/** Renders the conversation without any changes. */
export const renderExactly = (job: Job, conversation: TemplateMessages): Text => attempt(job, conversation).text

/** Renders the conversation, with changes if necessary. If none helps, throws the error for the given conversation. */
export function renderAdapted(job: Job, given: TemplateMessages): Text {
  const first = [
    ...(job.source.includes('developer') ? [] : [developerAsSystem]),
    fillArguments,
    ...(job.readsArguments ? [argumentsAsObjects] : []),
    ...ownWays(job.source, job.calls, job.variables),
  ]
  const conversation = first.reduce((changed, change) => change(changed) ?? changed, given)
  const worded = reworded(job, firstTaken(job, conversation))
  return withModelTurn(job, worded)
}

/** Keeps each change that leads to a different error, until there is no error. */
function firstTaken(job: Job, given: TemplateMessages): Attempt {
  const tried = (conversation: TemplateMessages): Attempt | TemplateError => {
    try {
      return attempt(job, conversation)
    } catch (error) {
      if (error instanceof TemplateError) return error
      throw error
    }
  }
  const first = tried(given)
  if (!(first instanceof TemplateError)) return first
  let error = first
  let conversation = given
  for (const left = new Set(changes); left.size > 0; ) {
    if (error.kind === 'SecurityError') break
    let isCloser = false
    for (const change of left) {
      const other = change(conversation)
      if (!other) continue
      const result = tried(other)
      if (!(result instanceof TemplateError)) return result
      if (result.message === error.message) continue
      left.delete(change)
      conversation = other
      error = result
      isCloser = true
      break
    }
    if (!isCloser) break
  }
  throw first
}

/** How many messages have texts that the prompt lacks. Those with markup do not count: many templates leave out earlier reasoning. */
function lacking({ text, conversation }: Attempt): number {
  const printed = text.runs.map(({ value, data }) => (data ? value : '\0')).join('')
  return conversation.messages.filter(message => {
    const content = message.text('content')
    const own = (content instanceof Text ? content : textOfParts(content))?.value.trim() ?? ''
    return !/<\/|\[\/|\|>/.test(own) && !printed.includes(own)
  }).length
}

/**
 * Templates that support only strings print a list of parts, or None, as Python would; this retries with text. Those that support
 * only lists print nothing of a string; this retries with lists.
 */
function reworded(job: Job, taken: Attempt): Attempt {
  let best = taken
  const retry = (change: typeof emptyNull, isBetter: (other: Attempt) => boolean) => {
    const conversation = change(best.conversation)
    if (!conversation) return
    try {
      const other = attempt(job, conversation)
      if (isBetter(other)) best = other
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
    }
  }
  if (best.printedList) retry(joinParts, other => !other.printedList)
  if (best.printedNone) retry(emptyNull, other => !other.printedNone)
  if (job.source.includes('type') && lacking(best) > 0) retry(asParts, other => lacking(other) < lacking(best))
  return best
}

/** A conversation that shows how a template formats turns. */
const conversationOf = (lists: TemplateMessages['lists'], ...messages: [role: string, content: string][]): TemplateMessages => ({
  lists,
  messages: messages.map(
    ([role, content]) =>
      new Dict(
        [
          [new Text('role'), new Text(role)],
          [new Text('content'), Text.data(content)],
        ],
        true,
      ),
  ),
})

/**
 * Adds the start of the model's turn, which some templates omit after a tool result. The start is the text that the template adds
 * to a plain question; a turn is complete if the prompt ends with the text that the template puts after an answer.
 */
function withModelTurn(job: Job, { text, conversation }: Attempt): Text {
  const last = conversation.messages.at(-1)
  if (job.variables.get('add_generation_prompt') !== true || !last || (last.text('role') as Text).value !== 'tool') return text
  try {
    const without = { ...job, variables: new Map([...job.variables, ['add_generation_prompt', false]]) }
    if (attempt(without, conversation).text.value !== text.value) return text
    const lists = dropNone(conversation)?.lists ?? conversation.lists
    const question = conversationOf(lists, ['user', 'Q?'])
    const open = attempt(without, question).text
    const opened = attempt(job, question).text
    const answer = attempt(without, conversationOf(lists, ['user', 'Q?'], ['assistant', 'Answer.'])).text
    const close = answer.cut(answer.value.lastIndexOf('Answer.') + 'Answer.'.length)
    const isForgotten =
      opened.value !== open.value && opened.value.startsWith(open.value) && close.value !== '' && text.value.endsWith(close.value)
    return isForgotten ? Text.join([text, opened.cut(open.value.length)]) : text
  } catch (error) {
    if (error instanceof TemplateError) return text
    throw error
  }
}

/** Appended to the last message, to find its end even if a template trims it; as in transformers. */
const tag = 'CONTINUE_FINAL_MESSAGE_TAG '

/** Marks the end of the last message's text, for `cutAfterFinal`. Throws `invalid-argument` if it has none. */
export function markFinal(messages: readonly Dict[]): void {
  const message = messages.at(-1)
  const content = message?.text('content')
  const [holder, name] =
    content instanceof List
      ? [content.items.filter(part => part instanceof Dict && part.text('text') instanceof Text).at(-1) as Dict | undefined, 'text']
      : [message, 'content']
  const final = holder?.text(name)
  if (!(final instanceof Text) || final.trim().value === '') {
    throw refuse('render: continueFinal: the last message has no text')
  }
  holder!.set(new Text(name), Text.join([final, Text.data(tag)]))
}

/** Cuts a prompt where its last message ends, as transformers' `continue_final_message` does. Throws `template`. */
export function cutAfterFinal(prompt: Text): Text {
  const at = prompt.value.lastIndexOf(tag.trim())
  if (at < 0) throw new TemplateError('TemplateRuntimeError', 'the template does not render the last message')
  const kept = prompt.cut(0, at)
  return prompt.value.startsWith(tag, at) ? kept : kept.trim(undefined, false, true)
}
