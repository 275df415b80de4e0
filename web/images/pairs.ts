// Vision-language models are two files: a text model, and a projector (mmproj), which is not a model by itself. Opened files become
// a pair here: both files at once, or a projector for the model that is already open.
import { fromFiles } from '../model/sources.js'
import type { Projector, Source } from '../model/slot.js'
import { foreign } from '../support/format.js'

/** Number of bytes to search for a projector's keys, which precede its tensors; it has no vocabulary. */
const headerBytes = 65_536

async function isProjectorFile(file: File): Promise<boolean> {
  if (/mmproj/i.test(file.name)) return true
  const text = await file
    .slice(0, headerBytes)
    .text()
    .catch(() => '')
  return text.startsWith('GGUF') && text.includes('projector_type')
}

const isProjector = ({ name, projector }: Source): boolean => !projector && /mmproj/i.test(name)

/**
 * The source of these files: a model, which may be split, or a pair; otherwise, a sentence that explains the problem. `current` is
 * the open source.
 */
export async function fromModelFiles(files: readonly File[], current: Source | undefined): Promise<Source | string> {
  const are = await Promise.all(files.map(isProjectorFile))
  const [file, ...more] = files.filter((_, at) => are[at])
  const rest = files.filter((_, at) => !are[at])
  if (!file) return fromFiles(files)
  if (more.length > 0) return 'These are several projectors: open one of them, with its text model.'
  const projector = { name: `“${foreign(file.name)}”`, data: file }
  if (rest.length === 0) return joined(projector, current)
  const model = fromFiles(rest)
  return typeof model === 'string' ? model : { ...model, projector }
}

/** A source by address; a projector's address becomes a pair with the open model. */
export const withProjector = (source: Source, current: Source | undefined): Source | string =>
  isProjector(source) && source.data !== undefined ? joined({ name: source.name, data: source.data }, current) : source

function joined(projector: Projector, current: Source | undefined): Source | string {
  if (!current) return `${projector.name} is a projector, which lets a text model read pictures: open it with its text model.`
  return { ...current, projector }
}

/** A sentence if the projector is the reason that a pair was not opened; otherwise undefined. */
export function misfit({ name, projector }: Source, error: unknown): string | undefined {
  const [, why] = /^projector: (.*)$/s.exec((error as Error).message) ?? []
  if (!projector || why === undefined) return undefined
  return `${projector.name} is no projector for ${name} (${why.replace(/\.$/, '')}): open it together with its own text model.`
}
