// A model with a projector, for tests of calls that take images.
import { withModel } from '../package/support.mjs'
import { projectorFile } from './projector_model.mjs'

/** Runs `body` with a model that reads images, too. */
export async function withSeeingModel(source, body, options = {}) {
  const width = await withModel(source, { threads: 1 }, async ({ info }) => info.width)
  return withModel(source, { threads: 1, projector: projectorFile(width), ...options }, body)
}
