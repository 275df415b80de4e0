// The texts of the elements. A page can replace them with texts in its own language.
import type { LoadPhase } from 'heed'

const english = {
  conversation: 'Conversation',
  message: 'Message',
  placeholder: 'Write a message',
  send: 'Send',
  stop: 'Stop',
  you: 'You',
  answer: 'Answer',
  again: 'Answer again',
  copy: 'Copy',
  reasoning: 'Reasoning',
  writing: 'Writing…',
  /** Before the share of the prompt that has been read. */
  reading: 'Reading',
  stopped: 'Stopped',
  full: 'The context is full',
  shortened: 'The model no longer reads the oldest messages',
  addPictures: 'Add pictures',
  picture: 'Picture',
  /** Before a picture's name. */
  remove: 'Remove',
  retry: 'Try again',
  resolve: 'Opening',
  wait: 'Another tab is downloading',
  check: 'Verifying',
  download: 'Downloading',
  load: 'Loading',
  import: 'Storing',
  preparing: 'Preparing',
  /** Between two numbers of bytes. */
  of: 'of',
  /** After a time. */
  left: 'left',
} satisfies Record<string, string> & Record<LoadPhase, string>

export type Labels = Readonly<Record<keyof typeof english, string>>

/** The English texts, with replacements. Throws a TypeError for unknown names and for values that are not texts. */
export function labelsWith(given: Partial<Labels>): Labels {
  for (const [name, text] of Object.entries(given)) {
    if (!Object.hasOwn(english, name)) throw new TypeError(`labels: there is no label "${name}"`)
    if (typeof text !== 'string') throw new TypeError(`labels: ${name}: expected a text`)
  }
  return { ...english, ...given }
}

export const standard: Labels = english
