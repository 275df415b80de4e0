// Which model a conversation was held with, and how it comes back: without a question only if it is here already.
import { fromAddress } from '../model/sources.js'
import type { Source } from '../model/slot.js'
import { foreignHost } from '../sharing/host.js'
import type { KeptModel } from './record.js'

const loadingKey = 'heed-loading'

const addressOf = (data: unknown) => (typeof data === 'string' ? data : undefined)

/** `name` is what its file calls itself. */
export function keptModel({ data, projector, stored }: Source, name: string): KeptModel {
  const address = addressOf(data)
  const files = [data, projector?.data].flat().filter(one => one instanceof File)
  const file = files.length > 0 ? { file: files.map(({ name }) => name).join(', ') } : undefined
  if (stored) return { name, ...file, ...stored }
  if (data !== undefined && (address === undefined || (projector && addressOf(projector.data) === undefined)))
    return { name, isFile: true, ...file }
  return { name, ...(address !== undefined && { data: address }), ...(projector && { projector: addressOf(projector.data) }) }
}

/** What to load it from; undefined for the bundled model and for files of the user. */
export const sourceOfKept = ({ data, projector }: KeptModel): Source | undefined =>
  data === undefined ? undefined : fromAddress(data, projector)

/** The same if nothing of it has to be downloaded from elsewhere. `has` says whether an address is stored. */
export async function sourceHere(kept: KeptModel, has: (address: string) => Promise<boolean>): Promise<Source | undefined> {
  try {
    const source = sourceOfKept(kept)
    if (!source) return undefined
    const files = [source.data, source.projector?.data].filter(data => typeof data === 'string')
    const areHere = await Promise.all(files.map(async file => foreignHost(file) === undefined || (await has(file))))
    return areHere.every(isHere => isHere) ? source : undefined
  } catch {
    return undefined // not an address that this page reads
  }
}

/**
 * Says that a kept model is being loaded, until the function that this returns is called. Gives undefined if an earlier attempt has ended with the
 * page, as too large a model can end it: it is not to be loaded again unasked.
 */
export function attempt(): (() => void) | undefined {
  try {
    if (localStorage.getItem(loadingKey) !== null) {
      localStorage.removeItem(loadingKey)
      return undefined
    }
    localStorage.setItem(loadingKey, 'yes')
    return () => localStorage.removeItem(loadingKey)
  } catch {
    return () => {}
  }
}
