// Answers a question from paragraphs, and determines which of them the answer cites.
import type { ChatMessage, Model } from 'heed'
import type { DocumentPassage } from './library.ts'
import { Search } from './search/search.ts'
import { options } from './settings.ts'

/** The messages for the model: one paragraph with the question, or several numbered paragraphs. */
export function messagesFor(question: string, passages: readonly DocumentPassage[]): ChatMessage[] {
  if (passages.length === 1) return [{ role: 'user', content: `${passages[0]!.text} ${question}` }]
  const numbered = passages.map(({ text }, at) => `[${at + 1}] ${text}`).join('\n\n')
  const rules =
    'Answer from these paragraphs alone, and name the paragraph after each sentence, such as [1]. If they do not tell, say so.'
  return [{ role: 'user', content: `${numbered}\n\n${rules}\n\n${question}` }]
}

/**
 * The passages that an answer cites: the ones whose numbers it contains or, without numbers, the one that shares the most words
 * with it.
 */
export function citedIn(answer: string, passages: readonly DocumentPassage[]): DocumentPassage[] {
  const named = [...answer.matchAll(/\[(\d+)\]/g)].map(([, number]) => passages[Number(number) - 1])
  const cited = [...new Set(named)].filter(passage => passage !== undefined)
  if (cited.length > 0 || passages.length <= 1) return cited.length > 0 ? cited : [...passages]
  const search = new Search<DocumentPassage>()
  for (const { vector, ...passage } of passages) search.add(passage)
  const [best] = search.find(answer, undefined, 1)
  return [best?.passage ?? passages[0]!]
}

/** Generates an answer, and calls `onText` with each piece. Resolves to the whole answer. */
export async function answer(
  model: Model,
  question: string,
  passages: readonly DocumentPassage[],
  onText: (text: string) => void,
): Promise<string> {
  const chat = model.chat(messagesFor(question, passages), options)
  for await (const event of chat) if (event.type === 'text') onText(event.delta)
  return (await chat).text
}
