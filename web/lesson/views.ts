// The views of the page, each with a link that opens it on an example, for a teacher to show.
import { linkTo, type Linked } from '../sharing/link.js'
import { byId, make } from '../support/dom.js'
import { answerHead, heads } from './heads.js'

const question = 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern. The owl gave the lantern to'
const story = `${question} Pip.`
const repeated = heads.find(({ kind }) => kind === 'repeated')!

const inText = { prompt: repeated.text!, layer: repeated.layer, head: repeated.head, token: repeated.token }
const ofSeveralHeads = { ...inText, panel: 'heads', heads: heads.slice(0, 4).map(({ layer, head }) => ({ layer, head })) } as const

interface View {
  readonly title: string
  readonly text: string
  /** The link names a layer and a head, because the current ones are meant for another text. */
  readonly link: Linked & Required<Pick<Linked, 'layer' | 'head'>>
}

const views: readonly View[] = [
  {
    title: 'All heads at a glance',
    text: 'A small map of each head of each layer. Diagonals look at a token nearby, columns at one token from everywhere.',
    link: { ...inText, panel: 'overview' },
  },
  {
    title: 'Several heads side by side',
    text: 'The heads named above on one text: the same token, looked back from in different ways.',
    link: ofSeveralHeads,
  },
  {
    title: 'One token across all layers',
    text: 'Where one token looks, in each layer: nearby in the first ones, at what it needs in later ones.',
    link: { ...inText, panel: 'layers' },
  },
  {
    title: 'Inside one weight',
    text: 'A weight as the model computes it: the query, the key, their product, scaled, and softmax over all that may be seen.',
    link: { ...inText, panel: 'inside' },
  },
  {
    title: 'Weights times values',
    text: 'A large weight on a small value carries little. Here, each weight is multiplied by the size of what it brings.',
    link: { ...inText, measure: 'values' },
  },
  {
    title: 'Through all layers',
    text: 'From which tokens something may have come, up to a layer: the weights of the layers, multiplied (attention rollout). Not what was made of it.',
    link: { ...inText, layer: answerHead?.layer ?? 0, head: 'mean', measure: 'rollout' },
  },
  {
    title: 'How the next token is drawn',
    text: 'What else could have come, and how temperature, top-k, top-p and min-p change the odds. Choose another one to go on from it.',
    link: { ...inText, prompt: story, token: 12, panel: 'drawing' },
  },
  {
    title: 'Where the token comes from',
    text: 'How much each part of the model adds to the score of a token (its logit), as bars that sum to it.',
    link: { ...inText, attribution: 'open' },
  },
  {
    title: 'Where it is decided',
    text: 'One name is exchanged for another, and what the model had for the first is put back, token by token and layer by layer: which of it brings the answer back.',
    link: { ...inText, prompt: question, token: undefined, sweep: JSON.stringify({ word: 'Pip', other: 'Tom', at: 'resid_post' }) },
  },
  {
    title: 'Features of each token',
    text: 'Directions that a sparse autoencoder has found in the states of a layer, some with a plain meaning. A slider writes on with more of one.',
    link: { ...inText, features: 'open' },
  },
  {
    title: 'What did quantizing change?',
    text: 'A coarser file of the model reads the same text: where its predictions differ, and from which layer on its states do.',
    link: { ...inText, compare: 'coarser' },
  },
  {
    title: 'Two sentences compared',
    text: 'An encoder reads two sentences; each token of one beside each of the other, and both as a whole.',
    link: {
      model: 'tiny/heed-events.gguf',
      prompt: 'The boy thanked the queen because she was clever.',
      layer: 0,
      head: 'mean',
      panel: 'sentences',
      sentence: 'The boy thanked the clever queen.',
    },
  },
]

/** Fills the list `lesson-views`. */
export function showViews(): void {
  byId('lesson-views', HTMLUListElement).append(
    ...views.map(({ title, text, link }) => {
      const model = link.model === undefined ? undefined : new URL(link.model, location.href).href
      const { hash } = new URL(linkTo(location.href, { ...link, model }))
      return make(
        'li',
        {},
        make('h4', {}, make('a', { href: hash, ariaLabel: `Open the view: ${title}` }, title)),
        make('p', {}, text),
      )
    }),
  )
}
