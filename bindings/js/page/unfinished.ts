// Answers that were being written when their tab was closed or its process ended, in a model loaded with `keep`.
import type { ModelInfo } from '../types/index.js'
import type { WebAbortSignal } from '../types/web.js'
import type { UnfinishedAnswer } from '../wire/protocol.js'
import type { PageEngine } from './connection.js'
import { Generation } from './generation.js'
import { written } from './writing.js'

/** An answer that was being written when its tab was closed or its process ended, of a model loaded with `keep`. */
export class Unfinished {
  /** The text that was written, in whole characters. */
  readonly text: string
  /** The number of tokens that were written. */
  readonly length: number
  /** The tokens of the prompt, or of the whole text before the answer in a session or a chat. */
  readonly prompt: readonly number[]
  /** The seed in use. */
  readonly seed: number
  /** The time at which the call for the answer began. */
  readonly startedAt: Date
  readonly #engine: PageEngine
  readonly #info: ModelInfo
  readonly #answer: UnfinishedAnswer

  /** @internal */
  constructor(engine: PageEngine, info: ModelInfo, answer: UnfinishedAnswer) {
    this.#engine = engine
    this.#info = info
    this.#answer = answer
    this.text = answer.text
    this.length = answer.tokens
    this.prompt = answer.prompt
    this.seed = answer.options.seed
    this.startedAt = new Date(answer.startedAt)
  }

  /**
   * Generates the whole answer again: the tokens that were written are verified many at a time, which is much faster than
   * generating them, and the text is the one that the first call would have given, bit for bit. Once this ends, or is aborted, the
   * answer is no longer unfinished.
   */
  continue({ signal }: { signal?: WebAbortSignal } = {}): Generation {
    const { prompt, options, constraint, name } = this.#answer
    return new Generation(
      (stop, ...report) =>
        written(
          this.#engine.connection,
          { type: 'generate', prompt: [...prompt], constraint, options: { ...options, reportsReading: false }, resumes: name },
          stop,
          report,
          {},
        ),
      { ...options, signal, constraint, info: this.#info },
    )
  }

  /** Drops the answer. */
  forget(): Promise<void> {
    return this.#engine.connection.call({ type: 'forget', name: this.#answer.name })
  }
}
