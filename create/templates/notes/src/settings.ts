// Settings to change first: the model that embeds notes and questions.

/**
 * An encoder, such as `hf:CompendiumLabs/bge-small-en-v1.5-gguf:Q8_0`, or the address of a GGUF file. Without one, notes are found
 * only by their words. A line `VITE_EMBEDDING_MODEL=…` in a file .env also sets it.
 */
export const embeddingModel: string | undefined = import.meta.env['VITE_EMBEDDING_MODEL']

/** Texts that some embedding models require before questions and before notes; see the model card. */
export const prefixes = { question: '', note: '' }

/** The minimum score of a note in the results, as a fraction of the best score. */
export const leastScore = 0.5
