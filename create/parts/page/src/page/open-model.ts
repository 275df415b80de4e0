// Loads a model and shows the progress.
import { loadModel, type LoadOptions, type Model } from 'heed'
import { inWords } from './elements.ts'

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/**
 * Loads the model `source`, or the small model that comes with Heed if there is none, and shows the progress in `status`. Downloads
 * are stored in this browser, so that the next visit needs no network.
 */
export async function openModel(source: string | undefined, status: HTMLElement, options: LoadOptions = {}): Promise<Model> {
  try {
    const model = await loadModel(source, {
      ...options,
      cache: source !== undefined,
      onProgress: ({ loaded, total, notice }) => {
        status.textContent = notice ?? `Loading the model: ${megabytes(loaded)}${total ? ` of ${megabytes(total)}` : ''}`
      },
    })
    const { name, threads } = model.info
    status.textContent = `${name || 'The model'} is ready, on ${threads} ${threads === 1 ? 'thread' : 'threads'}.`
    return model
  } catch (error) {
    status.textContent = `The model could not be loaded: ${inWords(error)}`
    throw error
  }
}
