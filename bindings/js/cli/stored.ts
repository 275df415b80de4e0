// Finds the stored models that commands name, and formats their sizes.
import type { modelStore } from 'heed'
import { UsageError } from './arguments.js'

export type Stored = Awaited<ReturnType<typeof modelStore.list>>[number]

/** A number of bytes, in powers of ten as for disks. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const number = bytes / 1000 ** at
  return `${at === 0 || number >= 99.95 ? Math.round(number) : number.toFixed(1)} ${units[at]}`
}

/** The stored part of a model in percent; undefined if its size is unknown. */
export const percentOf = ({ bytes, total }: { readonly bytes: number; readonly total?: number }) =>
  total === undefined ? undefined : Math.floor((100 * bytes) / Math.max(total, 1))

/** The models with this source, in all revisions, or else the model with this name. Throws if several have the name. */
export function storedAs(name: string, all: readonly Stored[]): readonly Stored[] {
  const bySource = all.filter(({ source }) => source === name)
  if (bySource.length > 0) return bySource
  const byName = all.filter(one => one.name === name)
  const sources = byName.map(({ source }) => source)
  if (new Set(sources).size > 1) throw new UsageError(`several models have the name '${name}': ${sources.join(', ')}`)
  return byName
}
