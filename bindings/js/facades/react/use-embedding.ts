// useEmbedding: the vectors of texts.
import { useEffect, useState } from 'react'
import type { Model } from '../../page/model.js'
import type { EmbedOptions } from '../../types/index.js'
import { useObservable } from './observable.js'
import { type RunState, Running, useRunning } from './running.js'

export type UseEmbeddingOptions = Omit<EmbedOptions, 'signal' | 'onProgress'>

interface EmbeddingState extends RunState {
  /** One vector per text, in order; the previous texts' vectors until the new ones are ready. */
  readonly embeddings?: readonly Float32Array[]
}

export type UseEmbedding = EmbeddingState

/**
 * The vectors of texts, computed anew when the texts change. `options` are those of `embed`.
 *
 * @example
 * const { model } = useModel('/embedder.gguf')
 * const { embeddings } = useEmbedding(model, [query])
 */
export function useEmbedding(
  model: Model | undefined,
  texts: readonly string[] | undefined,
  options: UseEmbeddingOptions = {},
): UseEmbedding {
  const [running] = useState(() => new Running<EmbeddingState>({ status: 'idle' }))
  useRunning(running, model)
  const key = texts && JSON.stringify([texts, options])
  useEffect(() => {
    if (key === undefined) return
    const [given, how] = JSON.parse(key) as [string[], UseEmbeddingOptions]
    void running.run(async (ready, signal) => {
      const embeddings = (await ready.embed(given, { ...how, signal })) as Float32Array[]
      running.patch({ embeddings })
    })
    return running.stop
  }, [running, key])
  return useObservable(running)
}
