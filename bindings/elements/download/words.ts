// The progress of loading a model as text: the phase, the bytes loaded, the rate and the remaining time.
import type { LoadProgress } from 'heed'
import type { Labels } from '../support/labels.js'

const units = ['B', 'kB', 'MB', 'GB']

/** 4.1 MB: powers of 1000, as file managers count. */
export function bytes(count: number): string {
  const step = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1)
  const shown = count / 1000 ** step
  return `${shown.toFixed(step > 0 && shown < 99.95 ? 1 : 0)} ${units[step]}`
}

/** 12 s, 3 min, 1 h 20 min: no more precise than an estimate can be. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(Math.ceil(seconds), 1)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export interface Words {
  readonly what: string
  readonly pace: string
  /** From 0 to 1, if it is known. */
  readonly share?: number
}

export function inWords(progress: LoadProgress, perSecond: number | undefined, name: string, labels: Labels): Words {
  const { phase, loaded, total } = progress
  const named = (text: string) => [text, name].filter(Boolean).join(' ')
  if (total !== undefined && loaded >= total) return { what: `${named(labels.preparing)}…`, pace: '', share: 1 }
  if (loaded === 0) return { what: `${named(labels[phase])}…`, pace: '' }
  const amount = total === undefined ? bytes(loaded) : `${bytes(loaded)} ${labels.of} ${bytes(total)}`
  const parts = total ? [`${Math.floor((loaded / total) * 100)} %`] : []
  if (perSecond) {
    parts.push(`${bytes(perSecond)}/s`)
    if (total !== undefined) parts.push(`${duration((total - loaded) / perSecond)} ${labels.left}`)
  }
  return { what: `${named(labels[phase])}: ${amount}`, pace: parts.join(', '), ...(total && { share: loaded / total }) }
}
