// The questions for the class. They contain no answers: these are measured in the model when the page has loaded it.
import type { Look } from './looking.ts'

export interface Question {
  readonly asks: string
  readonly look: Look
  /** The words to choose from; the right one has most of the weight. */
  readonly words: readonly string[]
  readonly explains: string
}

const story = 'A fox named Pip lost a lantern near the river. An owl called Ada found the lantern.'

/**
 * Layers and heads count from 0 here, and from 1 in the viewer. They belong to the model that comes with Heed; other models need
 * other numbers.
 */
export const questions: readonly Question[] = [
  {
    asks: 'Select “lantern” in layer 1, head 1. Which word does it look at most?',
    look: { text: 'Pip hid a red lantern under old leaves.', layer: 0, head: 0, from: 'lantern' },
    words: ['Pip', 'red', 'leaves'],
    explains:
      'This head looks at the token just before, whatever that is. “leaves” comes later: a model that writes can never look ahead.',
  },
  {
    asks: 'Layer 4, head 4, just before the model begins its answer. Where does it look?',
    look: { text: `${story} Who found the lantern?`, chat: true, layer: 3, head: 3 },
    words: ['Pip', 'Ada', 'river'],
    explains: 'This head finds the word of the answer in the story. The next token that the model writes is copied from there.',
  },
  {
    asks: 'The same head, the same story, but now the question is who lost the lantern. Where does it look?',
    look: { text: `${story} Who lost the lantern?`, chat: true, layer: 3, head: 3 },
    words: ['Pip', 'Ada', 'river'],
    explains: 'One other word in the question, and the head looks elsewhere: layers before it have worked out what is asked for.',
  },
  {
    asks: 'Layer 2, head 4, at the second “Oscar”. Which word does it look at most?',
    look: {
      text: 'Before noon, a busy brother named Oscar drew a red comb. So Oscar hid a tool box because the clock had stopped.',
      layer: 1,
      head: 3,
      from: 'Oscar',
    },
    words: ['drew', 'comb', 'clock'],
    explains:
      'It looks at the word that followed the first “Oscar”: if a text repeats itself, that is what comes next. Such heads are called induction heads.',
  },
]
