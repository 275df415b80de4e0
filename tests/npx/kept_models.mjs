// What `heed` exports, but models that are disposed of are kept, and given to the next caller that loads the same file with the same options.
import { loadModel as load } from 'heed'

export * from 'heed'

/** Models that nobody uses, by source and options. */
const idle = new Map()

export async function loadModel(source, { onProgress, ...options }) {
  const key = JSON.stringify([source, options])
  if (!idle.has(key)) idle.set(key, [])
  const models = idle.get(key)
  const model = models.pop() ?? (await load(source, options))
  model.dispose = async () => {
    models.push(model)
  }
  return model
}
