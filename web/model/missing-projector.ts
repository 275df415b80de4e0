// Says that the second file, the projector, of a model that reads images is missing: its name, and where to get it.
import type { ModelInfo } from 'heed'
import { fileName } from './address.js'
import { button, byId, make } from '../support/dom.js'
import { foreign } from '../support/format.js'
import { addressOfOwn, ownModel } from './own.js'
import type { Projector, Source } from './slot.js'

interface Chosen {
  /** Opens the model together with a projector. */
  join(projector: Projector): void
  /** Lets the user choose files. */
  choose(): void
  /** Whether the model is still the one in use. */
  isCurrent(): boolean
}

/** The usual name of a file's projector. */
function usualName({ data, name }: Source): string {
  const file = data instanceof File ? data.name : typeof data === 'string' ? fileName(data) : name
  return `mmproj-${foreign(file.replace(/(-\d{5}-of-\d{5})?\.gguf$/i, ''))}.gguf`
}

export async function tellMissing(info: ModelInfo, source: Source, { join, choose, isCurrent }: Chosen): Promise<void> {
  const own = await ownModel(info)
  const isOwn = own?.projector !== undefined
  if (!isCurrent() || (!isOwn && !/image/.test(Object.values(info.chatTemplates).join()))) return
  const pick = button('Choose it…', choose)
  const said: (string | Node)[] = isOwn
    ? [
        `To read pictures, this model needs a second file, its projector ${own.projector}, which is beside it in models/tiny and comes with this page.`,
        button('Load it', () => join({ name: `“${own.projector}”`, data: addressOfOwn(own.projector!) })),
        pick,
      ]
    : [
        `If this model is to read pictures, it needs a second file, its projector, with a name such as ${usualName(source)}: it is where the model itself is to be had.`,
        pick,
      ]
  byId('facts', HTMLDivElement).append(
    make('p', { className: 'advice', role: 'status' }, ...said.flatMap((part, at) => (at === 0 ? [part] : [' ', part]))),
  )
}
