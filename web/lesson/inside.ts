// The lesson's steps inside the model: each layer's prediction before an answer, and an edit that changes it. Each has a link that
// shows it, and the results of models/training/interventions.mjs on held-out questions.
import measured from '../../models/heed-stories.interventions.json' with { type: 'json' }
import type { PageEdit } from '../edits/edits.js'
import { type LinkedChat, linkToChat } from '../sharing/chat-link.js'
import { byId, make } from '../support/dom.js'
import { percent } from '../support/format.js'

const { example, patched, ablated, lens, head, questions } = measured
const edit: PageEdit = { kind: 'patch', word: example.word, other: example.other, layer: example.layer }

const asked = { role: 'user', content: example.question }
const conversation = (...messages: object[]) => JSON.stringify([...messages])

const steps: readonly { title: string; text: string; show: string; measure: string; link: LinkedChat }[] = [
  {
    title: 'What each layer would say',
    text:
      'The state of a token goes from layer to layer, and each layer adds to it. Read as if it were the last one, a layer shows what the ' +
      `model has so far. Before it answers “${example.answer}”, the first layers know nothing of the ${example.word}.`,
    show: 'Show the layers',
    measure:
      `For ${questions.held} questions about stories that it was not trained on: the answer’s word is what layer ${head.layer} would say in ` +
      `${percent(lens[head.layer - 1]!.share)} of them; after layer ${head.layer + 1}, which has the head that finds it, in ${percent(lens[head.layer]!.share)}; ` +
      `after the last one, in ${percent(lens.at(-1)!.share)}.`,
    link: {
      messages: conversation(asked, { role: 'assistant', content: example.answer }),
      ...head,
      lens: { row: head.layer + 1, position: example.position },
    },
  },
  {
    title: 'An edit that changes the answer',
    text:
      `After layer ${example.layer + 1}, the state of “${example.word}” in the story is exchanged for that of “${example.other}”. The text stays as it is, ` +
      `but the model answers “${example.patched}”: what it says of the story is what it holds at that word.`,
    show: 'Make the edit',
    measure:
      `For ${questions.held} questions about stories that it was not trained on, the edit changes the answer in ${percent(patched[example.layer]!.changes.share)}; in ${percent(patched[example.layer]!.becomes.share)}, ` +
      `the other word becomes the answer. Without head ${head.head + 1} of layer ${head.layer + 1}, the right word is less probable in ${percent(ablated.lower.share)}.`,
    link: { messages: conversation(asked, { role: 'assistant', content: example.answer }), ...head, edits: JSON.stringify([edit]) },
  },
]

/** Fills the list `lesson-inside`. */
export async function showInside(): Promise<void> {
  const items = steps.map(async ({ title, text, show, measure, link }) => {
    const href = await linkToChat(location.href, link)
    return make(
      'li',
      {},
      make('h4', {}, title),
      make('p', {}, text),
      make(
        'p',
        { className: 'measure' },
        make('a', { href: new URL(href!).hash, ariaLabel: `${show}: ${title}` }, show),
        `. ${measure}`,
      ),
    )
  })
  byId('lesson-inside', HTMLUListElement).append(...(await Promise.all(items)))
}
