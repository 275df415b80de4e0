// Texts through an encoder, as many at a time as go through in one pass: as vectors, and as scores of pairs.
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import type { WirePart } from '../protocol.js'
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

/** A pair as a template for pairs has it written: what is around the two texts may be control tokens, and they are not. */
const pairBy = (template: string, query: string, document: string): WirePart[] =>
  template.split(/(\{query\}|\{document\})/).map(part =>
    part === '{query}' ? query : part === '{document}' ? document : { control: part })

/** `read` gives what the first of the texts that it is given become. Throws `aborted`. */
async function inPasses<Text, Result>(
  host: Host, state: CallState, texts: Text[],
  tokenize: (text: Text) => ArrayLike<number>, read: (texts: ArrayLike<number>[]) => Result[] | null,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting: ArrayLike<number>[] = []
  const { parallel } = host.engine.info()  // no pass takes more; it may take fewer
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
