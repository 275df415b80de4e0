// The tokens of many texts at which features are largest.
import type { FeatureExamples } from '../../../types/index.js'

interface Example {
  text: number
  position: number
  value: number
}

/** Whether example `a` ranks before `b`: the larger value comes first, then the earlier text and position. */
const precedes = (a: Example, b: Example) =>
  a.value === b.value ? a.text < b.text || (a.text === b.text && a.position < b.position) : a.value > b.value

export class Examples {
  readonly #kept: { feature: number; count: number; examples: Example[] }[]
  readonly #most: number

  constructor(features: readonly number[], most: number, known?: readonly FeatureExamples[]) {
    this.#most = most
    this.#kept = features.map((feature, index) => ({
      feature,
      count: known?.[index]?.count ?? 0,
      examples: known?.[index]?.examples.map(example => ({ ...example })) ?? [],
    }))
  }

  add(text: number, position: number, activations: Float32Array): void {
    for (const kept of this.#kept) {
      const value = activations[kept.feature]!
      if (!(value > 0)) continue
      kept.count++
      const example = { text, position, value }
      const { examples } = kept
      let at = examples.length
      while (at > 0 && precedes(example, examples[at - 1]!)) at--
      examples.splice(at, 0, example)
      if (examples.length > this.#most) examples.pop()
    }
  }

  get all(): FeatureExamples[] {
    return this.#kept.map(({ feature, count, examples }) => ({ feature, count, examples: examples.map(one => ({ ...one })) }))
  }
}
