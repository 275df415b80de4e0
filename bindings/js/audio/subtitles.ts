// Subtitles of a transcript in the subset of SRT and WebVTT that all readers agree on.
import type { TranscriptSegment } from '../types/index.js'

interface Cue {
  start: number
  end: number
  text: string
}

/** Sorted cues, in milliseconds: all have a text, without blank lines, and last at least 1 ms. */
function cuesOf(segments: readonly TranscriptSegment[]): Cue[] {
  return segments
    .map(({ start, end, text }) => {
      const from = Math.round(start * 1000)
      return { start: from, end: Math.max(Math.round(end * 1000), from + 1), text: text.trim().replace(/\s*[\r\n]\s*/g, '\n') }
    })
    .filter(({ text }) => text !== '')
    .sort((a, b) => a.start - b.start)
}

function clock(milliseconds: number, point: string): string {
  const digits = (value: number, count = 2) => String(Math.floor(value)).padStart(count, '0')
  const [hours, minutes, seconds] = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60, (milliseconds / 1000) % 60]
  return `${digits(hours)}:${digits(minutes)}:${digits(seconds)}${point}${digits(milliseconds % 1000, 3)}`
}

export const toSrt = (segments: readonly TranscriptSegment[]): string =>
  cuesOf(segments)
    .map(({ start, end, text }, at) => `${at + 1}\n${clock(start, ',')} --> ${clock(end, ',')}\n${text}\n\n`)
    .join('')

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

export const toVtt = (segments: readonly TranscriptSegment[]): string =>
  `WEBVTT\n\n${cuesOf(segments)
    .map(
      ({ start, end, text }) =>
        `${clock(start, '.')} --> ${clock(end, '.')}\n${text.replace(/[&<>]/g, mark => escapes[mark]!)}\n\n`,
    )
    .join('')}`
