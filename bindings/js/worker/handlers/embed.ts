// Handlers that run texts through an encoder, as many per pass as fit: embeddings, and scores of pairs.
import type { WirePart } from '../../wire/protocol.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { checkFits, idsOf } from './tokens.js'

export const embed: Handler<'embed'> = readingHandler((host, state, call) => inPasses(
  host, state, call.prompts,
  prompt => idsOf(host.engine, prompt, call),
  texts => host.engine.embed(texts, call.form)))

export const rerank: Handler<'rerank'> = readingHandler((host, state, { query, documents }) => {
  const { rerank: template } = host.engine.info().chatTemplates
  return inPasses(
    host, state, documents,
    document => template === undefined ? host.engine.tokenizePair(query, document)
      : host.engine.tokenizeParts(pairBy(template, query, document), false),
    pairs => {
      const scores = host.engine.scores(pairs)
      return scores && [...scores]
    })
})

/** Fills in a template for pairs. Control tokens are parsed in the template's own text, but not in the query or the document. */
const pairBy = (template: string, query: string, document: string): WirePart[] =>
  template.split(/(\{query\}|\{document\})/).map(part =>
    part === '{query}' ? query : part === '{document}' ? document : { control: part })

/** `read` returns the results of as many of the given texts, from the first, as fit into one pass. Throws `aborted`. */
async function inPasses<Text, Result>(
  host: Host, state: CallState, texts: Text[],
  tokenize: (text: Text) => ArrayLike<number>, read: (texts: ArrayLike<number>[]) => Result[] | null,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting: ArrayLike<number>[] = []
  const { parallel } = host.engine.info()  // the most that a pass takes; it may take fewer
  for (let next = 0; results.length < texts.length;) {
    while (waiting.length < parallel && next < texts.length) {
      waiting.push(checkFits(host.engine, tokenize(texts[next++]!)))
    }
    const done = await runPass(host, state, () => read(waiting))
    results.push(...done)
    waiting.splice(0, done.length)
  }
  return results
}
