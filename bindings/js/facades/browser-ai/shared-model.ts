// The model that all objects of an interface share. It is loaded for the first object, unless it was given.
import type { Model } from '../../page/model.js'
import type { LoadOptions } from '../../types/index.js'
import { isLost } from '../../wire/errors.js'
import { optionBesideModel } from '../loaded-model.js'
import { progressTo } from './events.js'
import { abortable, anyOf, exception, translated } from './exceptions.js'
import type { Availability, CreateOptions, OverModelOptions } from './types.js'

type Report = (loaded: number) => void

const loadByDefault: NonNullable<OverModelOptions['load']> = async (source, options) => {
  const { loadModel } = await import('heed').catch((cause: unknown) => {
    throw exception('NetworkError', 'heed cannot be imported; give its loadModel as `load`, or a loaded `model`', cause)
  })
  return loadModel(source, options)
}

export class SharedModel {
  readonly #given?: Model
  readonly #load: (options: LoadOptions) => Promise<Model>
  readonly #options: LoadOptions
  #loaded?: Model
  #loading?: Promise<Model>
  /** Aborts the load; called once nobody waits for it any more. */
  #stop?: AbortController
  readonly #waiting = new Set<Report>()

  constructor({ model, ...loading }: Omit<OverModelOptions, 'languages'>) {
    const { source, load = loadByDefault, ...options } = loading
    const problem = model && optionBesideModel(loading)
    if (problem) throw new TypeError(problem)
    this.#loaded = this.#given = model
    this.#options = options
    this.#load = more => load(source, { ...options, ...more })
  }

  /** The availability of something that needs a chat. `template` is used in place of the model's own template. */
  availability(template?: unknown): Availability {
    const { loaded } = this
    if (!loaded) return this.#loading ? 'downloading' : 'downloadable'
    return loaded.info.generates && (template ?? loaded.info.chatTemplates.default) !== undefined ? 'available' : 'unavailable'
  }

  /** Whether the model reads images or, if it is not loaded yet, is expected to. */
  get acceptsImages(): boolean {
    return this.#loaded ? this.#loaded.info.acceptsImages : this.#options.projector !== undefined
  }

  /** As `acceptsImages`, for audio. */
  get acceptsAudio(): boolean {
    return this.#loaded ? this.#loaded.info.acceptsAudio : this.#options.projector !== undefined
  }

  /** The model, if it is loaded. A lost model counts as not loaded, unless it was given. */
  get loaded(): Model | undefined {
    if (!this.#given && this.#loaded?.isLost) this.#loaded = undefined
    return this.#loaded
  }

  /** Loads the model, if necessary. `report` is called with the progress, from 0 to 1. */
  async get(report: Report, signal?: AbortSignal): Promise<Model> {
    report(0)
    if (!this.loaded) {
      this.#waiting.add(report)
      try {
        await abortable((this.#loading ??= this.#start()), signal)
      } finally {
        this.#waiting.delete(report)
        if (this.#waiting.size === 0) this.#giveUp()
      }
    }
    report(1)
    return this.#loaded!
  }

  /** Opens a resource of the model. An abort rejects at once; a resource that opens afterwards is closed. */
  async open<Opened>(
    { monitor, signal }: CreateOptions,
    open: (model: Model) => Promise<Opened>,
    close: (opened: Opened) => void = () => {},
  ): Promise<Opened> {
    const report = progressTo(monitor, signal)
    const opening = (async () => {
      let model: Model | undefined
      try {
        model = await this.get(report, signal)
        return await open(model)
      } catch (error) {
        this.forgetAfter(error, model)
        throw translated(error, 'OperationError')
      }
    })()
    try {
      return await abortable(opening, signal)
    } catch (error) {
      void opening.then(close, () => {})
      throw error
    }
  }

  /**
   * If an error says that the model is lost, the next creation loads it again, unless this has happened already or the model was
   * given.
   */
  forgetAfter(error: unknown, model?: Model): void {
    if (!this.#given && isLost(error) && model === this.#loaded) this.#loaded = undefined
  }

  async #start(): Promise<Model> {
    const stop = (this.#stop = new AbortController())
    try {
      return (this.#loaded = await this.#load({
        signal: anyOf(stop.signal, this.#options.signal as AbortSignal | undefined),
        onProgress: progress => {
          this.#options.onProgress?.(progress)
          const { loaded, total } = progress
          for (const report of this.#waiting) report(total ? loaded / total : 0)
        },
      }))
    } finally {
      if (this.#stop === stop) this.#loading = this.#stop = undefined
    }
  }

  /** Aborts the load. Later calls begin a new load, even before the old one has ended. */
  #giveUp(): void {
    this.#stop?.abort()
    this.#loading = this.#stop = undefined
  }
}
