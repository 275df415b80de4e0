// Search by words and by meaning at once, which complement each other: words find names and numbers, vectors find paraphrases.
import { similarity } from 'heed'
import { WordIndex } from './words.ts'

/** A text to search. Without a vector, it is found only by its words. */
export interface Passage {
  readonly id: string
  readonly text: string
  readonly vector?: Float32Array | undefined
}

export interface Found<Of extends Passage> {
  readonly passage: Of
  /** From 0 to 1, among the passages that were searched. */
  readonly score: number
}

/** The weight of meaning in the score. */
const meaningWeight = 0.4

export class Search<Of extends Passage> {
  #passages = new Map<string, Of>()
  #words = new WordIndex()

  get size(): number {
    return this.#passages.size
  }

  /** Adds a passage, or replaces the one with the same id. */
  add(passage: Of): void {
    this.remove(passage.id)
    this.#passages.set(passage.id, passage)
    this.#words.add(passage.id, passage.text)
  }

  remove(id: string): void {
    if (this.#passages.delete(id)) this.#words.remove(id)
  }

  /** The best passages for a question, best first. `vector` is the question's vector, if an embedding model is loaded. */
  find(question: string, vector?: Float32Array, limit = 5): Found<Of>[] {
    const byWords = this.#words.find(question)
    const byMeaning = vector ? this.#meaning(vector) : undefined
    const scores = [...this.#passages.values()].map(passage => {
      const words = byWords.get(passage.id) ?? 0
      const meaning = byMeaning?.get(passage.id) ?? 0
      return { passage, score: byMeaning ? (1 - meaningWeight) * words + meaningWeight * meaning : words }
    })
    return scores
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, limit)
  }

  /**
   * Similarities to a vector, scaled to the range from 0 to 1, because models differ in how similar all texts are to each other.
   */
  #meaning(vector: Float32Array): Map<string, number> {
    const found: [string, number][] = []
    for (const { id, vector: other } of this.#passages.values()) {
      if (other?.length === vector.length) found.push([id, similarity(vector, other)])
    }
    const values = found.map(([, value]) => value)
    const [least, most] = [Math.min(...values), Math.max(...values)]
    return new Map(found.map(([id, value]) => [id, most > least ? (value - least) / (most - least) : 0]))
  }
}
