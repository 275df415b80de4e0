// What to change first: the model that embeds notes and questions.

/**
 * An encoder, such as `hf:CompendiumLabs/bge-small-en-v1.5-gguf:Q8_0`, or the address of a GGUF file. Without one, notes are found by their
 * words alone. A line `VITE_EMBEDDING_MODEL=…` in a file .env sets it, too.
 */
export const embeddingModel: string | undefined = import.meta.env['VITE_EMBEDDING_MODEL']

/** What some embedding models want before a question and before a text; the card of the model says so. */
export const prefixes = { question: '', note: '' }

/** Of what is found, how good a note must be in comparison with the best one to be shown. */
export const leastScore = 0.5
