// The paragraphs of a PDF, by PDF.js. It is fetched with the first PDF.
import { getDocument, GlobalWorkerOptions } from 'pdfjs-dist'
import worker from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { paragraphsOfPage, type Paragraph } from './paragraphs.ts'

GlobalWorkerOptions.workerSrc = worker

interface Line {
  text: string
  /** How high the line stands on the page, and how high its letters are. */
  readonly y: number
  readonly height: number
}

/** How many heights of a letter lie between two lines of a paragraph at most. */
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
    if (!('str' in item)) continue // marks of structure
    const { str, transform, height, hasEOL } = item as { str: string; transform: number[]; height: number; hasEOL: boolean }
    if (ended && str.trim()) lines.push({ text: str, y: transform[5]!, height: height || 10 })
    else if (lines.length > 0) lines.at(-1)!.text += str
    ended = hasEOL
  }
  return lines
}

/** Lines that follow each other closely are a block; a word that was divided at the end of a line is put together. */
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
