// The element's events, and typed listeners for them.
import type { ChatMessage, LoadProgress, Model } from 'heed'

export interface HeedChatEvents {
  /** A message has been added: the user's, the model's or a tool's. */
  message: CustomEvent<ChatMessage>
  progress: CustomEvent<LoadProgress>
  /** The model is loaded. */
  load: CustomEvent<Model>
  error: ErrorEvent
}

/** An element with typed listeners for these events. */
export interface ChatElement extends HTMLElement {
  addEventListener<Type extends keyof HeedChatEvents>(
    type: Type,
    listener: (event: HeedChatEvents[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions): void
  removeEventListener<Type extends keyof HeedChatEvents>(
    type: Type,
    listener: (event: HeedChatEvents[Type]) => void,
    options?: boolean | EventListenerOptions,
  ): void
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions): void
}
