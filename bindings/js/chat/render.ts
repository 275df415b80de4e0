// Renders a conversation, and where the template refuses it, does not know what it is given or forgets the model's turn,
// finds what it takes.
import { changes, developerAsSystem, dropNone, emptyNull, joinParts, type Conversation } from './adapt.js'
import { HeedError } from '../errors.js'
import { Dict, List, renderTemplate, TemplateError, Text, type Budget, type Statement, type Value } from './jinja/index.js'

export interface Job {
  readonly body: Statement
  readonly source: string
  /** All but the messages, the tools and the documents. */
  readonly variables: ReadonlyMap<string, Value>
  readonly now: Date
  readonly budget: Budget
}

interface Attempt {
  readonly text: Text
  readonly conversation: Conversation
  readonly printedNone: boolean
  readonly printedList: boolean
}

/** One render, of just this conversation. Throws a TemplateError. */
function attempt(job: Job, conversation: Conversation): Attempt {
  const contents = new Set(conversation.messages.map(message => message.text('content')))
  let printedNone = false
  let printedList = false
  const variables = new Map<string, Value>([
    ...conversation.lists, ['messages', new List([...conversation.messages], true)], ...job.variables,
  ])
  const text = renderTemplate(job.body, { ...job, variables, printed(value) {
    printedNone ||= value === null
    printedList ||= value instanceof List && contents.has(value)
  } })
  return { text, conversation, printedNone, printedList }
}

/** The conversation as it is, and nothing else. */
export const renderExactly = (job: Job, conversation: Conversation): Text => attempt(job, conversation).text

/** Throws the error that the conversation as it is gives, where no change helps. */
export function renderAdapted(job: Job, given: Conversation): Text {
  const conversation = job.source.includes('developer') ? given : developerAsSystem(given) ?? given
  const worded = reworded(job, firstTaken(job, conversation))
  return withModelTurn(job, worded)
}

/** Changes are kept as long as they change the error, until there is none. */
function firstTaken(job: Job, given: Conversation): Attempt {
  const tried = (conversation: Conversation): Attempt | TemplateError => {
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
  for (const left = new Set(changes); left.size > 0;) {
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

/** Templates that know texts only print a list of parts, or None, as Python would. */
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
  return best
}

/** A conversation of our own, to see what a template makes of it. */
const conversationOf = (lists: Conversation['lists'], ...messages: [role: string, content: string][]): Conversation => ({
  lists,
  messages: messages.map(([role, content]) => new Dict([
    [new Text('role'), new Text(role)], [new Text('content'), Text.data(content)],
  ], true)),
})

/**
 * Some templates end a prompt after a tool's result without the model's turn. What opens one is what the template adds to a
 * plain question; what closed the last one is what it puts after an answer.
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
    const isForgotten = opened.value !== open.value && opened.value.startsWith(open.value)
      && close.value !== '' && text.value.endsWith(close.value)
    return isForgotten ? Text.join([text, opened.cut(open.value.length)]) : text
  } catch (error) {
    if (error instanceof TemplateError) return text
    throw error
  }
}

/**
 * Cuts a prompt where its last message's content ends, as transformers' `continue_final_message` does. Throws
 * `invalid-argument` where the message has no text, and `template` where the template does not show it.
 */
export function cutAfterFinal(prompt: Text, messages: readonly Dict[]): Text {
  const content = messages.at(-1)?.text('content')
  const final = content instanceof List
    ? content.items.map(part => (part as Dict).text?.('text')).filter(part => part instanceof Text).at(-1) : content
  if (!(final instanceof Text) || final.trim().value === '') {
    throw new HeedError('invalid-argument', 'render: continueFinal: the last message has no text to continue')
  }
  const trimmed = final.trim().value
  const at = prompt.value.lastIndexOf(trimmed)
  if (at < 0) {
    throw new TemplateError('TemplateRuntimeError', 'the template does not render the last message')
  }
  const kept = final.trim(undefined, true, false).value
  return prompt.cut(0, at + (prompt.value.startsWith(kept, at) ? kept : trimmed).length)
}
