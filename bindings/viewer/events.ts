// The viewer's events, and typed listeners for them.
import type { GenerateResult, Token } from 'heed'
import type { Alternative } from './panels/sampling-panel.js'

export interface HeedViewerEvents {
  tokenselect: CustomEvent
  layerchange: CustomEvent
  headchange: CustomEvent
  kindchange: CustomEvent
  measurechange: CustomEvent
  panelchange: CustomEvent
  pacechange: CustomEvent
  passagechange: CustomEvent
  reveal: CustomEvent
  tokenwrite: CustomEvent<Token>
  writeend: CustomEvent<GenerateResult>
  turn: CustomEvent<number>
  alternative: CustomEvent<Alternative>
  error: ErrorEvent
}

/** An element with typed listeners for these events. */
export interface ViewerElement extends HTMLElement {
  addEventListener<Type extends keyof HeedViewerEvents>(
    type: Type,
    listener: (event: HeedViewerEvents[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void
  removeEventListener<Type extends keyof HeedViewerEvents>(
    type: Type,
    listener: (event: HeedViewerEvents[Type]) => void,
    options?: boolean | EventListenerOptions,
  ): void
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void
}
