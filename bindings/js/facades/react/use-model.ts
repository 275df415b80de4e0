// useModel: a model that is loaded while a component uses it.
import { useCallback, useSyncExternalStore } from 'react'
import type { ModelSource } from '../../types/index.js'
import { idle, keyOf, type LoadModel, loading, type ModelState, SharedModels, type UseModelOptions } from '../shared-models.js'

export type UseModel = ModelState & {
  /** Loads the model again, after an error. */
  readonly retry: () => void
}

/**
 * @param source as for `loadModel`; null to load nothing yet
 */
export type UseModelHook = (source?: ModelSource | null, options?: UseModelOptions) => UseModel

export function modelHook(load: LoadModel): UseModelHook {
  const models = new SharedModels(load)

  return function useModel(source, options = {}) {
    const key = source === null ? undefined : keyOf(source, options)
    const shared = key === undefined ? undefined : models.of(source!, options, key)
    const subscribe = useCallback(
      (changed: () => void) => {
        const leave = shared?.subscribe(changed)
        const release = shared?.use()
        return () => {
          leave?.()
          release?.()
        }
      },
      [shared],
    )
    const state = useSyncExternalStore(
      subscribe,
      () => shared?.get() ?? idle,
      () => (shared ? loading : idle),
    )
    const retry = useCallback(() => shared?.retry(), [shared])
    return { ...state, retry }
  }
}
