// Formats numbers, dates and foreign names for display.

const scaled = (value: number, units: readonly string[]): string => {
  const step = Math.min(Math.floor(Math.log10(Math.max(value, 1)) / 3), units.length - 1)
  const shown = value / 1000 ** step
  return `${shown.toFixed(step > 0 && shown < 99.95 ? 1 : 0)}${units[step]}`
}

/** 4.1 MB: powers of 1000, as file managers count. */
export const bytes = (count: number) => scaled(count, [' B', ' kB', ' MB', ' GB'])

/** 3.2 million: a count of parameters. */
export const large = (count: number) => scaled(count, ['', ' thousand', ' million', ' billion'])

export const percent = (share: number): string => {
  const shown = share * 100
  if (shown > 0 && shown < 0.1) return '< 0.1 %'
  return `${shown.toFixed(shown < 99.95 ? 1 : 0)} %`
}

export const rate = (perSecond: number) => `${perSecond.toFixed(perSecond < 100 ? 1 : 0)} tokens/s`

export const milliseconds = (ms: number) => (ms < 1000 ? `${Math.max(ms, 1).toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`)

/** 12 s, 3 min, 1 h 20 min: the time remaining, no more precise than an estimate can be. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(Math.ceil(seconds), 1)} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const startOfDay = (date: Date) => new Date(date).setHours(0, 0, 0, 0)

/** Created when first needed, because that takes milliseconds. */
let relative: Intl.RelativeTimeFormat | undefined

/** today, yesterday, 3 days ago */
export const daysAgo = (date: Date, now = new Date()) =>
  (relative ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' })).format(
    -Math.max(Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000), 0),
    'day',
  )

/**
 * Control characters, and characters that change the direction of the following text, so that it reads as something else (UAX #9,
 * 2.1 to 2.3).
 */
const misleading = /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g

/**
 * Text that somebody else chose, such as a file's name, made safe to show within the page's own text: it cannot change how the
 * text around it reads, and it is not too long.
 */
export function foreign(text: string, longest = 100): string {
  const characters = [...text.replace(misleading, '\ufffd')]
  if (characters.length <= longest) return characters.join('')
  return `${characters.slice(0, longest * 0.7).join('')}…${characters.slice(-longest * 0.3).join('')}`
}

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
