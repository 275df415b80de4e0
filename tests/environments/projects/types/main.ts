import { HeedError, type LoadOptions, loadModel, type Model, similarity } from 'heed'

const options: LoadOptions = {
  threads: 2,
  onProgress: ({ loaded, total }) => {
    loaded / (total ?? loaded)
  },
}

export async function tell(prompt: string): Promise<string> {
  const model: Model = await loadModel(undefined, options)
  let story = ''
  for await (const token of model.generate(prompt, { seed: 7 })) story += token.text
  const { text } = await model.generate(prompt)
  const threads: number = model.info.threads
  const [one, other] = await model.embed([story, text])
  similarity(one!, other!)
  await model.dispose()
  return `${threads}: ${story}`
}

export const codeOf = (error: unknown): string => (error instanceof HeedError ? error.code : 'another')

// @ts-expect-error: an option that does not exist
void loadModel(undefined, { thread: 2 })
