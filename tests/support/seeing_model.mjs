// Models with projectors, for tests of calls that take images or audio.
import { withModel } from '../package/support.mjs'
import { hearingProjectorFile, projectorFile } from './projector_model.mjs'

/** Runs `body` with a model that reads images, too. */
export async function withSeeingModel(source, body, options = {}) {
  const width = await withModel(source, { threads: 1 }, async ({ info }) => info.width)
  return withModel(source, { threads: 1, projector: projectorFile(width), ...options }, body)
}

/** The same with one that hears. */
export async function withHearingModel(source, body, options = {}) {
  const width = await withModel(source, { threads: 1 }, async ({ info }) => info.width)
  return withModel(source, { threads: 1, projector: hearingProjectorFile(width), ...options }, body)
}
