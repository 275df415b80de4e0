// Handlers that run texts through an encoder, as many per pass as fit: embeddings, and scores of pairs.
import { HeedError, refuse } from '../../wire/errors.js'
import type { Call, WirePart, WirePrompt } from '../../wire/protocol.js'
import type { Engine } from '../engine.js'
import { type CallState, type Handler, type Host, readingHandler, runPass } from '../host.js'
import { idsOf, tooLong } from './tokens.js'

export const embed: Handler<'embed'> = readingHandler((host, state, call) =>
  inPasses(host, state, {
    what: 'embed: texts',
    texts: call.prompts,
    tokenize: (prompt, most) => {
      const ids = idsOf(host.engine, prompt, call)
      return call.truncate && ids.length > most ? truncated(host.engine, ids, most, prompt, call) : ids
    },
    read: texts => host.engine.embed(texts, call.form),
    onDone: count => host.post({ type: 'embedded', id: state.id, count }),
  }),
)

export const rerank: Handler<'rerank'> = readingHandler((host, state, { query, documents }) => {
  const { rerank: template } = host.info.chatTemplates
  return inPasses(host, state, {
    what: 'rerank: documents',
    texts: documents,
    tokenize: document =>
      template === undefined
        ? host.engine.tokenizePair(query, document)
        : host.engine.tokenizeParts(pairBy(template, query, document), false),
    read: pairs => {
      const scores = host.engine.scores(pairs)
      return scores && [...scores]
    },
  })
})

/** Fills in a template for pairs. Control tokens are parsed in the template's own text, but not in the query or the document. */
const pairBy = (template: string, query: string, document: string): WirePart[] =>
  template
    .split(/(\{query\}|\{document\})/)
    .map(part => (part === '{query}' ? query : part === '{document}' ? document : { control: part }))

/** Cuts a text to `most` tokens, but keeps the tokens that were added around it. */
function truncated(
  engine: Engine,
  ids: readonly number[],
  most: number,
  prompt: WirePrompt,
  call: Extract<Call, { type: 'embed' }>,
): number[] {
  const around = Array.isArray(prompt) ? [] : idsOf(engine, '', call)
  const inside = around.findIndex((id, at) => id !== ids[at])
  const after = inside < 0 ? 0 : around.length - inside
  return [...ids.slice(0, Math.max(most - after, 0)), ...ids.slice(ids.length - after)]
}

interface Passes<Text, Result> {
  /** The name of the list, for error messages. */
  what: string
  texts: Text[]
  /** `most`: the number of tokens that a pass can take. */
  tokenize(text: Text, most: number): ArrayLike<number>
  /** Returns the results of as many of the given texts, from the first, as fit into one pass. */
  read(texts: ArrayLike<number>[]): Result[] | null
  /** Called after each pass with the number of finished texts. */
  onDone?(count: number): void
}

/** Throws `aborted`, and errors with the index of the text at fault. */
async function inPasses<Text, Result>(
  host: Host,
  state: CallState,
  { what, texts, tokenize, read, onDone }: Passes<Text, Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const waiting: ArrayLike<number>[] = []
  const { embeds, parallel, contextLength, vocabulary } = host.info // `parallel`: the most texts per pass; fewer may fit
  const idsAt = (index: number) => {
    try {
      const ids = tokenize(texts[index]!, contextLength)
      if (!embeds) return ids // the engine then rejects the call
      if (ids.length === 0) throw refuse('a text needs at least one token')
      if (ids.length > contextLength) throw tooLong(ids.length, contextLength)
      const outside = Array.prototype.find.call(ids, id => id >= vocabulary)
      if (outside !== undefined) throw refuse(`${outside} is outside the vocabulary of ${vocabulary} tokens`)
      return ids
    } catch (error) {
      const { code, message } = HeedError.from(error)
      if (code !== 'invalid-argument' && code !== 'context-overflow') throw error // the error is not about a text
      throw new HeedError(code, `${what}[${index}]: ${message}`, { index })
    }
  }
  for (let next = 0; results.length < texts.length; ) {
    while (waiting.length < parallel && next < texts.length) waiting.push(idsAt(next++))
    const done = await runPass(host, state, () => read(waiting))
    results.push(...done)
    waiting.splice(0, done.length)
    onDone?.(results.length)
  }
  return results
}
