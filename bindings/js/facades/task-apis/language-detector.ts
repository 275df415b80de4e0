// LanguageDetector: asks the model for the language, and compares the probabilities of the languages' names as its answer.
import { callOf, expected } from './options.js'
import { detection, nameOf } from './sentences.js'
import { type Over, taskOver } from './task.js'
import type { LanguageDetectionResult } from './types.js'

/** The languages to choose from, unless the options say which ones the model knows. */
const usual = 'ar bn cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv sw ta th tr uk ur vi zh'.split(' ')

/** Results stop at this sum of probabilities, because less likely languages are noise. */
const enough = 0.99

const unknownOf = (confidence: number): LanguageDetectionResult => ({ detectedLanguage: 'und', confidence })

/** The results for a page, from the probabilities of all languages and of "none of them". */
export function resultsOf(languages: readonly string[], shares: readonly number[], unknown: number): LanguageDetectionResult[] {
  const ranked = languages
    .map((detectedLanguage, at) => ({ detectedLanguage, confidence: shares[at]! }))
    .sort((one, other) => other.confidence - one.confidence)
  const results: LanguageDetectionResult[] = []
  let sum = 0
  for (const one of ranked) {
    if (one.confidence === 0 || one.confidence < unknown || sum >= enough) break
    results.push(one)
    sum += one.confidence
  }
  return [...results, unknownOf(unknown)]
}

export const languageDetectorOver = (over: Over) =>
  taskOver(over, {
    name: 'LanguageDetector',
    read: given => ({ expectedInputLanguages: expected('expectedInputLanguages', given) }),
    attributes: ['expectedInputLanguages'],
    languages: ({ expectedInputLanguages }) => expectedInputLanguages ?? [],
    chat: () => ({ asks: { think: false } }),
    share: 3 / 4,
    ask: (_, text) => detection(text),
    methods: {
      detect: async ({ settings, asker, lifetime }, input, options) => {
        const { text, signal } = callOf(input, options)
        return lifetime.run(signal, async stop => {
          if (!/\p{L}/u.test(text)) return [unknownOf(1)]
          const languages = [...new Set([...(over.languages ?? usual), ...(settings.expectedInputLanguages ?? [])])]
          const shares = await asker.shares(detection(text), [...languages.map(nameOf), 'Unknown'], stop)
          return resultsOf(languages, shares, shares.at(-1)!)
        })
      },
    },
  })
