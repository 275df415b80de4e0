// Reads the paragraphs of a PDF with PDF.js, which is fetched with the first PDF.
import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist'
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { paragraphsOfPage, type Paragraph } from './paragraphs.ts'

GlobalWorkerOptions.workerSrc = worker

interface Line {
  text: string
  /** The vertical position of the line on the page, and the height of its letters. */
  readonly y: number
  readonly height: number
}

/** The maximum distance of two lines in a paragraph, in heights of a letter. */
const mostGap = 1.9

export async function paragraphsOfPdf(file: File): Promise<Paragraph[]> {
  const loading = getDocument({ data: await file.arrayBuffer() })
  try {
    const pdf = await loading.promise
    const found: Paragraph[] = []
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number)
      found.push(...paragraphsOfPage(blocks(await linesOf(page)), number))
      page.cleanup()
    }
    return found
  } finally {
    await loading.destroy()
  }
}

async function linesOf(page: { getTextContent(): Promise<{ items: readonly object[] }> }): Promise<Line[]> {
  const lines: Line[] = []
  let ended = true
  for (const item of (await page.getTextContent()).items) {
    if (!('str' in item)) continue // structure marks
    const { str, transform, height, hasEOL } = item as { str: string; transform: number[]; height: number; hasEOL: boolean }
    if (ended && str.trim()) lines.push({ text: str, y: transform[5]!, height: height || 10 })
    else if (lines.length > 0) lines.at(-1)!.text += str
    ended = hasEOL
  }
  return lines
}

/** Lines that are close together form a block. Words that are divided at the end of a line are joined. */
function blocks(lines: readonly Line[]): string[] {
  const found: string[] = []
  for (const [at, { text, y, height }] of lines.entries()) {
    const above = lines[at - 1]
    const gap = above ? above.y - y : Infinity
    if (gap < 0 || gap > mostGap * Math.max(height, above?.height ?? 0)) found.push(text)
    else found.push(`${found.pop()}\n${text}`.replace(/(\p{Ll})-\n(?=\p{Ll})/u, '$1'))
  }
  return found
}
