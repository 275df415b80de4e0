// The script dist/shared.js, which lets all tabs of a site share one model. A page loads it with its first shared model.
import type { Endpoint } from '../../platform/platform.js'
import { HeedError, refuse } from '../../wire/errors.js'
import type { OpenedSource } from '../source.js'
import { join } from './join.js'

/**
 * The engine of the tabs that have loaded the same files with the same options; `start` is called if this tab has to run it. Throws
 * `unsupported` and `invalid-argument`.
 */
export async function shareEngine(
  files: readonly OpenedSource[],
  options: object,
  start: () => Promise<Endpoint>,
): Promise<Endpoint> {
  if (!globalThis.navigator?.locks || typeof BroadcastChannel === 'undefined' || !globalThis.location)
    throw new HeedError('unsupported', 'loadModel: shared: only tabs of a browser share a model')
  return join(JSON.stringify([files.map(nameOf), options]), start)
}

/** Identifies a file in all tabs, without secrets. */
function nameOf({ request: { source } }: OpenedSource): unknown {
  if (source.kind === 'url' || source.kind === 'stored') return source
  if (source.kind === 'hub') return { ...source, options: { ...source.options, token: undefined } }
  throw refuse('loadModel: shared: other tabs can load the model if it has an address, or is in the store')
}
