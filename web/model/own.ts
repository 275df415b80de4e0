// Our own tiny models, which are served with the page, and facts about them. They are recognized by their content, wherever they
// come from.
import type { ModelInfo } from 'heed'
import { fileAddress } from './address.js'
import type { Example } from './slot.js'

/** An entry of the list that the build puts next to the page. */
export interface OwnModel {
  name: string
  file: string
  /** Identifies that file: the name in it, and its length. */
  content: { name: string; bytes: number }
  /** The file of its projector, for a model that reads images. */
  projector?: string
  kind: string
  /** The size of all its files. */
  bytes: number
  note: string
  example?: Example
}

export const addressOfOwn = (file: string): string => fileAddress(`tiny/${file}`)

export async function ownModels(): Promise<OwnModel[]> {
  const answer = await fetch(new URL('tiny/catalogue.json', document.baseURI)).catch(() => undefined)
  return answer?.ok ? ((await answer.json()) as OwnModel[]) : []
}

/** The entry of a model; undefined if it is not one of our own. */
export async function ownModel({ name, fileBytes }: ModelInfo): Promise<OwnModel | undefined> {
  return (await ownModels()).find(({ content }) => content.name === name && content.bytes === fileBytes)
}

/** The example for a model. One that reads images has nothing to ask about without its projector. */
export async function exampleOf(info: ModelInfo): Promise<Example | undefined> {
  const { example, projector } = (await ownModel(info)) ?? {}
  if (projector && !info.acceptsImages) return { texts: [], needsPicture: example?.needsPicture }
  if (!example) return undefined
  const { picture, pictures, sound } = example
  return {
    ...example,
    picture: picture && addressOfOwn(picture),
    pictures: pictures?.map(addressOfOwn),
    sound: sound && addressOfOwn(sound),
  }
}
