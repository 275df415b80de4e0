// Tasks of the lesson, with answers that are hidden at first. Their statements about the bundled model were measured by
// tools/draw-tasks.mjs and, for its heads, by models/training/heads.py.
import { byId, make } from '../support/dom.js'
import { percent } from '../support/format.js'
import { answerHead, heads } from './heads.js'
import measured from './tasks.json' with { type: 'json' }

interface Measured {
  readonly asked: string
  readonly answer: string
  readonly piece: string
  readonly share: number
}

interface Task {
  readonly text: string
  readonly answer: string
  /** A message for the chat. */
  readonly asked?: string
}

const nameOf = ({ layer, head }: { layer: number; head: number }) => `layer ${layer + 1}, head ${head + 1}`

const source = ({ answer, piece, share }: Measured) =>
  `“${answer}” As it begins, ${answerHead ? nameOf(answerHead) : 'the head'} gives ${percent(share)} of its attention to “${piece}”, where that name begins in the story.`

function tasks(): Task[] {
  const { other, invented, untold } = measured
  const previous = heads.find(({ kind }) => kind === 'previous')
  return [
    {
      text: 'Ask who lost the lantern, instead of who found it. Where does the model look now?',
      asked: other.asked,
      answer: source(other),
    },
    {
      text: 'Give the owl a name that the model has never seen. Can it still answer?',
      asked: invented.asked,
      answer: `${source(invented)} It does not know the name: it copies it, piece by piece.`,
    },
    {
      text: 'Let the owl see the fox, instead of finding the lantern. What does the model say of who found it?',
      asked: untold.asked,
      answer: `“${untold.answer}” It was trained on questions without an answer, too.`,
    },
    ...(previous
      ? [
          {
            text: 'Open “All layers and heads at a glance” beside any text. Which head looks at the token just before, whatever the text?',
            answer: `${nameOf(previous).replace('layer', 'Layer')}: a bright line just below the diagonal. It does so for ${percent(previous.score)} of the tokens of texts that it was not trained on.`,
          },
        ]
      : []),
  ]
}

/** Fills the lists `lesson-tasks` and, for paper, `lesson-answers`. `ask` puts a message into the chat, for the user to send. */
export function showTasks(ask: (message: string) => void): void {
  const all = tasks()
  byId('lesson-answers', HTMLOListElement).append(...all.map(({ answer }) => make('li', {}, answer)))
  byId('lesson-tasks', HTMLOListElement).append(
    ...all.map(({ text, answer, asked }) => {
      const button = make('button', { type: 'button', className: 'quiet' }, 'Put it into the chat')
      button.addEventListener('click', () => ask(asked!))
      return make(
        'li',
        {},
        make('p', {}, text),
        ...(asked ? [button, make('p', { className: 'on-paper' }, `Put into the chat: “${asked}”`)] : []),
        make('details', {}, make('summary', {}, 'Answer'), make('p', {}, answer)),
      )
    }),
  )
}
