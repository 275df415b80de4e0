// What a model keeps on the disk if it is loaded with `keep`: the texts that it has read, and the answers that it is writing.
import type { StorePlace } from '../../store/folder.js'
import type { Results } from '../../wire/protocol.js'
import type { Engine } from '../engine.js'
import type { Beginning, KeptCall, Kept as KeptInterface } from '../host.js'
import { type Asked, KeptAnswers, textOf } from './answers.js'
import { KeptTexts, keyOf } from './texts.js'

/** The most bytes of texts, unless the user says otherwise: a gigabyte, or a tenth of what the site may use. */
async function usualBytes({ folder }: StorePlace): Promise<number> {
  const { quota = Infinity } = await folder.space()
  return Math.min(2 ** 30, quota / 10)
}

/** How long to wait for the tab of a page that has just been reloaded. */
const patienceMs = 400

/** Whether two answers belong to equal calls; calls without a given seed differ in their random seeds. */
const isSame = (a: Asked, b: Asked) => textOf(a) === textOf(b)

export class Kept implements KeptInterface {
  readonly #engine: Engine
  readonly #texts: KeptTexts
  readonly #answers: KeptAnswers

  private constructor(engine: Engine, texts: KeptTexts, answers: KeptAnswers) {
    this.#engine = engine
    this.#texts = texts
    this.#answers = answers
  }

  static async open(engine: Engine, place: StorePlace, rest: () => Promise<void>, mostBytes?: number): Promise<Kept> {
    const key = keyOf(engine)
    const texts = new KeptTexts(engine, place.folder, key, mostBytes ?? (await usualBytes(place)), rest)
    return new Kept(engine, texts, new KeptAnswers(place, key))
  }

  async begin({ ids, session, whole, options, constraint, resumes }: Beginning): Promise<KeptCall> {
    const before = session && !whole ? [...this.#engine.sessionTokens(session)] : []
    const prompt = [...before, ...Array.from(ids)]
    await this.#texts.restore(prompt)
    const asked: Asked = { prompt, options: { ...options, reportsReading: false }, constraint, startedAt: Date.now() }
    const old = (await this.#answers.unfinished()).find(other => other.name === resumes || isSame(other, asked))
    // a prompt that is only read has no answer
    const answer = options.maxTokens === 0 ? undefined : await this.#answers.begin(asked)
    const own = session || this.#engine.createSession()
    return {
      session: own,
      expected: old?.written ?? [],
      token: id => answer?.file.token(id),
      end: async isWritten => {
        try {
          answer?.file.close()
          if (!isWritten) {
            if (answer) await this.#answers.remove(answer.name)
            return undefined
          }
          await this.#texts.save(own)
          if (old && answer) await this.#answers.remove(old.name)
          return answer?.name
        } finally {
          if (!session) this.#engine.freeSession(own)
        }
      },
    }
  }

  async unfinished(): Promise<Results['unfinished']> {
    return (await this.#answers.unfinished(patienceMs)).map(({ written, ...asked }) => {
      const bytes = this.#engine.detokenizeBytes(written, asked.options.special ?? false, false)
      // The text ends with its last whole character.
      return { ...asked, tokens: written.length, text: new TextDecoder().decode(bytes, { stream: true }) }
    })
  }

  forget(name: string): Promise<void> {
    return this.#answers.remove(name)
  }

  close(): Promise<void> {
    return this.#answers.close()
  }
}
