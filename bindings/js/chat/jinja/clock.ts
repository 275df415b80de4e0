// Python's strftime, with English names. The caller passes the time, because a template has no clock.

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const pad = (value: number, width = 2, fill = '0') => String(value).padStart(width, fill)
const dayMs = 86_400_000

/** Formats the local time of `date`. Unknown directives stay as they are. */
export function strftime(format: string, date: Date): string {
  const hour12 = date.getHours() % 12 || 12
  const dayOfYear = Math.round(
    (new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).getTime() -
      new Date(date.getFullYear(), 0, 1, 12).getTime()) /
      dayMs,
  )
  const parts: Record<string, () => string> = {
    a: () => days[date.getDay()]!.slice(0, 3),
    A: () => days[date.getDay()]!,
    b: () => months[date.getMonth()]!.slice(0, 3),
    B: () => months[date.getMonth()]!,
    d: () => pad(date.getDate()),
    e: () => pad(date.getDate(), 2, ' '),
    F: () => strftime('%Y-%m-%d', date),
    H: () => pad(date.getHours()),
    I: () => pad(hour12),
    j: () => pad(dayOfYear + 1, 3),
    m: () => pad(date.getMonth() + 1),
    M: () => pad(date.getMinutes()),
    p: () => (date.getHours() < 12 ? 'AM' : 'PM'),
    S: () => pad(date.getSeconds()),
    T: () => strftime('%H:%M:%S', date),
    y: () => pad(date.getFullYear() % 100),
    Y: () => String(date.getFullYear()),
    '%': () => '%',
  }
  return format.replace(/%(-?)([a-zA-Z%])/g, (whole, bare: string, letter: string) => {
    const part = Object.hasOwn(parts, letter) ? parts[letter]!() : undefined
    if (part === undefined) return whole
    return bare ? part.replace(/^[0 ]+(?=.)/, '') : part
  })
}
