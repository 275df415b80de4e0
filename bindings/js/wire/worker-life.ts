// Messages about a worker's start and end, separate from its calls.

/** The first message of a worker's script. */
export const started = 'heed: started'
/** Asks an engine's worker in Node to end its threads; `ended` is its last message. */
export const ending = 'heed: ending'
export const ended = 'heed: ended'
