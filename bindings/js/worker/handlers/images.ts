// Handlers for images: embeddings and classes.
import { type Handler, readingHandler, runPass } from '../host.js'

export const embedImages: Handler<'embedImages'> = readingHandler(async (host, state, { images, pooling, normalize }) => {
  const vectors: Float32Array[] = []
  for (const { width, height, data } of images) {
    vectors.push(await runPass(host, state, () => host.engine.embedImage(width, height, data, pooling, normalize)))
  }
  return vectors
})

export const classify: Handler<'classify'> = readingHandler(async (host, state, { image: { width, height, data } }) => {
  const weights = await runPass(host, state, () => host.engine.classify(width, height, data))
  return { labels: host.engine.labels(), weights }
})
