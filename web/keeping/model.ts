// The model of a saved conversation, and how it is loaded again: unasked only if nothing has to be downloaded from elsewhere.
import { fromAddress } from '../model/sources.js'
import type { Source } from '../model/slot.js'
import { foreignHost } from '../sharing/host.js'
import type { KeptModel } from './record.js'

const loadingKey = 'heed-loading'

const addressOf = (data: unknown) => (typeof data === 'string' ? data : undefined)

/** `name` is the model's name in its file. */
export function keptModel({ data, projector, stored }: Source, name: string): KeptModel {
  const address = addressOf(data)
  const files = [data, projector?.data].flat().filter(one => one instanceof File)
  const file = files.length > 0 ? { file: files.map(({ name }) => name).join(', ') } : undefined
  if (stored) return { name, ...file, ...stored }
  if (data !== undefined && (address === undefined || (projector && addressOf(projector.data) === undefined)))
    return { name, isFile: true, ...file }
  return { name, ...(address !== undefined && { data: address }), ...(projector && { projector: addressOf(projector.data) }) }
}

/** Whether it is the bundled model. */
export const isOfPage = ({ data, isFile }: KeptModel): boolean => data === undefined && !isFile

export const isSameModel = (one: KeptModel, other: KeptModel | undefined): boolean =>
  one.data === other?.data && one.file === other?.file && one.isFile === other?.isFile

/** The source to load it from; undefined for the bundled model and for the user's files. */
export const sourceOfKept = ({ data, projector }: KeptModel): Source | undefined =>
  data === undefined ? undefined : fromAddress(data, projector)

/** As `sourceOfKept`, but undefined if anything has to be downloaded from elsewhere. `has` returns whether an address is stored. */
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
 * Records that a saved model is being loaded, until the returned function is called. Returns undefined if an earlier attempt has
 * ended with the page, as loading a model that is too large can: it is then not loaded again unasked.
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
