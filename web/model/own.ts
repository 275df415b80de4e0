// Our own tiny models, which are served with the page, and what is known of them: by their content, wherever they come from.
import type { ModelInfo } from 'heed'
import { fileAddress } from './address.js'
import type { Example } from './slot.js'

/** An entry of the list that the build puts next to the page. */
export interface OwnModel {
  name: string
  file: string
  /** What that file is known by: the name in it, and its length. */
  content: { name: string; bytes: number }
  /** The file of its projector, for a model that reads pictures. */
  projector?: string
  kind: string
  /** Of all its files. */
  bytes: number
  note: string
  example?: Example
}

export const addressOfOwn = (file: string): string => fileAddress(`tiny/${file}`)

export async function ownModels(): Promise<OwnModel[]> {
  const answer = await fetch(new URL('tiny/catalogue.json', document.baseURI)).catch(() => undefined)
  return answer?.ok ? ((await answer.json()) as OwnModel[]) : []
}

/** Which of them a model is; undefined if it is none. */
export async function ownModel({ name, fileBytes }: ModelInfo): Promise<OwnModel | undefined> {
  return (await ownModels()).find(({ content }) => content.name === name && content.bytes === fileBytes)
}

/** What there is to see in a model. One that reads pictures shows nothing without its projector. */
export async function exampleOf(info: ModelInfo): Promise<Example | undefined> {
  const { example, projector } = (await ownModel(info)) ?? {}
  if (!example || (projector && !info.acceptsImages)) return undefined
  const { picture, pictures } = example
  return { ...example, picture: picture && addressOfOwn(picture), pictures: pictures?.map(addressOfOwn) }
}
