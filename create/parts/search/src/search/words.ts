// Search by words (BM25): rare words count more than frequent ones, endings are ignored, and long words may have a wrong letter.
import MiniSearch from 'minisearch'
import { stemmer } from 'stemmer'

/** English words that occur in almost every text and question. */
const everywhere = new Set(
  (
    'a about after all also am an and any are as at be been but by can could did do does for from get give had has have he her him his ' +
    'how i if in into is it its just let like many may me more most much my no not of on one or our out she should so some such than ' +
    'that the their them then there these they this to too up us was we were what when where which who whom whose why will with would ' +
    'you your'
  ).split(' '),
)

const term = (word: string): string | null => {
  const plain = word.toLowerCase().replace(/['’]s?$/, '')
  return everywhere.has(plain) ? null : stemmer(plain)
}

export class WordIndex {
  #index = new MiniSearch<{ id: string; text: string }>({ fields: ['text'], processTerm: term })

  add(id: string, text: string): void {
    this.#index.add({ id, text })
  }

  remove(id: string): void {
    this.#index.discard(id)
  }

  /** How well the texts match, by id; the best one has 1. */
  find(question: string): Map<string, number> {
    const found = this.#index.search(question, {
      fuzzy: word => (word.length > 5 ? 1 : false),
      weights: { fuzzy: 0.3, prefix: 0.3 },
    })
    const best = found[0]?.score ?? 1
    return new Map(found.map(({ id, score }) => [id as string, score / best]))
  }
}
