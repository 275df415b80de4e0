// useCompletion: the continuation of a text, updated while it is generated.
import { useCallback, useState } from 'react'
import type { Model } from '../../page/model.js'
import type { GenerateOptions, GenerateResult, Prompt } from '../../types/index.js'
import { useObservable } from './observable.js'
import { type RunState, Running, useLatest, useRunning } from './running.js'

export type UseCompletionOptions = Omit<GenerateOptions, 'signal'>

interface CompletionState extends RunState {
  readonly text: string
  readonly result?: GenerateResult
}

export interface UseCompletion extends CompletionState {
  /**
   * Generates a continuation, and ends the current one. Waits for the model if it is still being loaded. Resolves to undefined if
   * it failed (see `error`) or another one began.
   */
  readonly complete: (prompt: Prompt) => Promise<GenerateResult | undefined>
  /** Ends the text with the tokens that it has. */
  readonly stop: () => void
}

/**
 * The text that follows a prompt. `options` are those of `generate`, as they are at each `complete`.
 *
 * @example
 * const { model } = useModel('/model.gguf')
 * const { text, complete } = useCompletion(model, { maxTokens: 100 })
 * return <button onClick={() => complete('Once upon a time')}>{text || 'Tell a story'}</button>
 */
export function useCompletion(model: Model | undefined, options: UseCompletionOptions = {}): UseCompletion {
  const [running] = useState(() => new Running<CompletionState>({ status: 'idle', text: '' }))
  useRunning(running, model)
  const latest = useLatest(options)
  const complete = useCallback(
    (prompt: Prompt) =>
      running.run(async (ready, signal) => {
        running.patch({ text: '', result: undefined })
        const generation = ready.generate(prompt, { ...latest.current, signal })
        for await (const { text } of generation)
          if (!signal.aborted) running.patch({ status: 'streaming', text: running.get().text + text })
        const result = await generation.result
        if (!signal.aborted) running.patch({ text: result.text, result })
        return result
      }),
    [running, latest],
  )
  return { ...useObservable(running), complete, stop: running.stop }
}
