// Which stored models commands speak of, and how their sizes are written.
import type { modelStore } from 'heed'
import { UsageError } from './arguments.js'

export type Stored = Awaited<ReturnType<typeof modelStore.list>>[number]

/** A number of bytes, in powers of ten as disks have them. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const number = bytes / 1000 ** at
  return `${at === 0 || number >= 99.95 ? Math.round(number) : number.toFixed(1)} ${units[at]}`
}

/** How much of a model is there, in per cent; undefined if nobody knows how large it is. */
export const percentOf = ({ bytes, total }: { readonly bytes: number; readonly total?: number }) =>
  total === undefined ? undefined : Math.floor((100 * bytes) / Math.max(total, 1))

/** The models with a source, whatever their revisions, or else the one with a name. Throws for a name that several have. */
export function storedAs(name: string, all: readonly Stored[]): readonly Stored[] {
  const bySource = all.filter(({ source }) => source === name)
  if (bySource.length > 0) return bySource
  const byName = all.filter(one => one.name === name)
  const sources = byName.map(({ source }) => source)
  if (new Set(sources).size > 1) throw new UsageError(`several models have the name '${name}': ${sources.join(', ')}`)
  return byName
}
