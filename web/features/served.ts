// The dictionaries that are served with the page, and what is known of their features (models/dictionaries).
import type { ModelInfo } from 'heed'

export interface Example {
  readonly before: string
  readonly token: string
  readonly after: string
  readonly value: number
}

export interface NamedFeature {
  readonly feature: number
  readonly name: string
  readonly examples: readonly Example[]
}

export interface Served {
  readonly name: string
  readonly title: string
  /** The model that the dictionary is for. */
  readonly model: string
  readonly features: readonly NamedFeature[]
}

const addressOf = (path: string) => new URL(`dictionaries/${path}`, document.baseURI)

export const folderOf = ({ name }: Served): URL => addressOf(name)

/** The dictionaries for a model; none if their list cannot be fetched. */
export async function servedFor({ name }: ModelInfo): Promise<readonly Served[]> {
  const answer = await fetch(addressOf('catalogue.json')).catch(() => undefined)
  const all = answer?.ok ? ((await answer.json()) as Served[]) : []
  return all.filter(({ model }) => model === name)
}
