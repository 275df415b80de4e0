// The handler that reads the attention of a vision model.
import { HeedError } from '../../wire/errors.js'
import { type Handler, readingHandler, runPass } from '../host.js'

export const imageAttention: Handler<'imageAttention'> = readingHandler(async (host, state, { image, selection }) => {
  const { architecture, sees } = host.info
  if (!sees) throw new HeedError('unsupported', `${architecture}: does not accept images`)
  const { width, height, data } = image
  const asked = { what: 'attention' as const, of: 'image' as const, ...selection }
  return { weights: (await runPass(host, state, () => host.engine.recordImage(width, height, data, asked))).values }
})
