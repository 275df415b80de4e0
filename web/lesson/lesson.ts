// The lesson at the end of the page: heads worth seeing and the views of the page, each with a link that shows it, and where
// attention came from.
import { linkTo } from '../sharing/link.js'
import { byId, make } from '../support/dom.js'
import { percent } from '../support/format.js'
import { showInside } from './inside.js'
import { heads, type HeadKind, type MeasuredHead } from './heads.js'
import { emptyMap } from './map.js'
import maps from './maps.json' with { type: 'json' }
import { showTasks } from './tasks.js'
import { showViews } from './views.js'

const stories: Record<HeadKind, { title: string; text: string; measure: string }> = {
  answer: {
    title: 'Where the answer is',
    text:
      'Before the model generates the word that answers a question, this head attends to that word in the story. It was trained ' +
      'to; the others learned by themselves. In the chat, ask a question about a story, then press “Where did it find that?”.',
    measure: 'of the questions about stories that it was not trained on, its largest weight is on that word',
  },
  previous: {
    title: 'The previous token',
    text: 'At every position, this head attends to the previous token. It tells each token what precedes it; other heads build on that.',
    measure: 'of the tokens, its largest weight is on the previous one',
  },
  repeated: {
    title: 'What followed last time',
    text:
      'When a word occurs again, this head attends to what followed it last time, which is often what comes next. This is how the ' +
      'model spells a name that it has never seen. Such heads are called induction heads.',
    measure: 'of the repeated tokens, its largest weight is on a token that followed the same one',
  },
  sentence: {
    title: 'The end of a sentence',
    text: 'This head attends to earlier full stops, where the model can store a summary of the finished sentence.',
    measure: 'of the tokens, its largest weight is on an earlier full stop',
  },
}

function showHead({ kind, layer, head, score, text, token }: MeasuredHead): HTMLLIElement {
  const { title, text: story, measure } = stories[kind]
  const name = `Layer ${layer + 1}, head ${head + 1}`
  const show =
    text === undefined
      ? [name]
      : [
          make(
            'a',
            {
              href: new URL(linkTo(location.href, { prompt: text, layer, head, token })).hash,
              ariaLabel: `Show ${name}: ${title}`,
            },
            `Show ${name.toLowerCase()}`,
          ),
        ]
  return make(
    'li',
    {},
    make('h4', {}, title),
    make('p', {}, story),
    make('p', { className: 'measure' }, ...show, `. In ${percent(score)} ${measure}.`),
  )
}

/** A link to the map that shows the sources of the words of a translation. */
const alignment = () =>
  new URL(
    linkTo(location.href, {
      model: new URL('tiny/heed-french.gguf', location.href).href,
      seed: 1,
      settings: { temperature: 0 },
      length: 'text',
      kind: 'cross',
      prompt: maps.alignment.prompt,
      layer: maps.alignment.layer,
      head: maps.alignment.head,
    }),
  ).hash

/**
 * Fills the lesson. Each figure `map-NAME` of index.html shows the map of that name. `ask` puts a message into the chat, for the
 * user to send.
 */
export function showLesson(ask: (message: string) => void): void {
  byId('lesson-heads', HTMLUListElement).append(...heads.map(showHead))
  void showInside()
  showViews()
  byId('open-alignment', HTMLAnchorElement).href = alignment()
  showTasks(ask)
  const draws = new Map(
    Object.entries(maps).map(([name, map]) => {
      const { picture, draw } = emptyMap(map)
      byId(`map-${name}`, HTMLElement).prepend(picture)
      return [picture as Element, draw]
    }),
  )
  drawWhenNear(draws)
}

/** Draws pictures when they are less than a window away, or are printed: hundreds of squares that nobody sees would delay the first story. */
function drawWhenNear(draws: Map<Element, () => void>): void {
  const draw = (picture: Element) => {
    draws.get(picture)?.()
    draws.delete(picture)
    near.unobserve(picture)
  }
  const near = new IntersectionObserver(
    entries => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) draw(target)
    },
    { rootMargin: '100%' },
  )
  for (const picture of draws.keys()) near.observe(picture)
  addEventListener('beforeprint', () => [...draws.keys()].forEach(draw))
}
