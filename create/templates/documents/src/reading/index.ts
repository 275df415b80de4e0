// Reads a file as paragraphs, according to its type.
import { paragraphsOf, type Paragraph } from './paragraphs.ts'

export type { Paragraph } from './paragraphs.ts'

/** Throws for files that are neither PDF nor text, and for files without text, such as scanned pages. */
export async function read(file: File): Promise<Paragraph[]> {
  const start = new TextDecoder('latin1').decode(await file.slice(0, 5).arrayBuffer())
  const paragraphs = start === '%PDF-' ? await (await import('./pdf.ts')).paragraphsOfPdf(file) : paragraphsOf(await textOf(file))
  if (paragraphs.length === 0) throw new Error(`${file.name} has no text. A scanned PDF needs text recognition first`)
  return paragraphs
}

async function textOf(file: File): Promise<string> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
    if (!text.includes('\0')) return text
  } catch {
    // not UTF-8
  }
  throw new Error(`${file.name} is neither a PDF nor a text in UTF-8`)
}
