// Event attributes such as `oncontextoverflow`, and the progress of a download.
import type { CreateMonitor, CreateOptions, DownloadProgress } from './types.js'

/** An `on...` attribute of an event target. */
export class EventHandler<Kind extends Event = Event> {
  readonly #listen: () => void
  #listener: ((event: Kind) => unknown) | null = null
  #listens = false

  constructor(target: EventTarget, type: string) {
    this.#listen = () => target.addEventListener(type, event => this.#listener?.call(target, event as Kind))
  }

  get listener() {
    return this.#listener
  }

  /** Its place among the other listeners is that of its first setting, as for event attributes of the browser. */
  set listener(listener: unknown) {
    this.#listener = typeof listener === 'function' ? (listener as (event: Kind) => unknown) : null
    if (!this.#listens) this.#listen()
    this.#listens = true
  }
}

/** In some browsers, the platform's own ProgressEvent supports only whole bytes. */
class DownloadProgressEvent extends Event implements DownloadProgress {
  readonly loaded: number
  readonly total = 1
  readonly lengthComputable = true as const

  constructor(loaded: number) {
    super('downloadprogress')
    this.loaded = loaded
  }
}

class Monitor extends EventTarget {
  readonly #progress = new EventHandler<DownloadProgress>(this, 'downloadprogress')

  get ondownloadprogress() {
    return this.#progress.listener
  }

  set ondownloadprogress(listener) {
    this.#progress.listener = listener
  }
}

/** Reports to `monitor` how much of the model is loaded: the value only increases, in steps of 1 / 65536. */
export function progressTo(monitor: CreateOptions['monitor'], signal?: AbortSignal): (loaded: number) => void {
  if (!monitor) return () => {}
  const target = new Monitor()
  monitor(target as CreateMonitor)
  let last = -1
  return loaded => {
    const step = Math.min(1, Math.floor(loaded * 0x10000) / 0x10000) // a file may have more bytes after the model
    if (step <= last || signal?.aborted) return
    last = step
    target.dispatchEvent(new DownloadProgressEvent(step))
  }
}
