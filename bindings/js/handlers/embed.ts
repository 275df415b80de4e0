// Texts through an encoder, as many at a time as go through in one pass: as vectors, and as scores of pairs.
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { checkFits, idsOf } from './tokens.js'

/** The engine is offered no more than that; it takes as many as fit into its pass. */
const mostTexts = 128

export const embed: Handler<'embed'> = readingHandler((host, state, call) => inPasses(
  host, state, call.prompts,
  prompt => idsOf(host.engine, prompt, call),
  texts => host.engine.embed(texts, call.pooling, call.normalize)))

export const rerank: Handler<'rerank'> = readingHandler((host, state, { query, documents }) => inPasses(
  host, state, documents,
  document => host.engine.tokenizePair(query, document),
  pairs => {
    const scores = host.engine.scores(pairs)
    return scores && [...scores]
  }))

/** `read` gives what the first of the texts that it is given become. Throws `aborted`. */
async function inPasses<Text, Result>(
  host: Host, state: CallState, texts: Text[],
  tokenize: (text: Text) => ArrayLike<number>, read: (texts: ArrayLike<number>[]) => Result[] | null,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting: ArrayLike<number>[] = []
  for (let next = 0; results.length < texts.length;) {
    while (waiting.length < mostTexts && next < texts.length) {
      waiting.push(checkFits(host.engine, tokenize(texts[next++]!)))
    }
    const done = await runPass(host, state, () => read(waiting))
    results.push(...done)
    waiting.splice(0, done.length)
  }
  return results
}
