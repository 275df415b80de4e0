// What to change first: the two models, and how much of the documents a question brings along.

/**
 * The model that answers: `hf:OWNER/REPOSITORY:Q4_K_M`, such as `hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M`, or the address of a GGUF
 * file. Without one, the small model that comes with Heed answers; it understands short stories, such as those of the example.
 */
export const chatModel: string | undefined = import.meta.env['VITE_CHAT_MODEL']

/**
 * The model that embeds: an encoder, such as `hf:CompendiumLabs/bge-small-en-v1.5-gguf:Q8_0`. Without one, documents are searched by
 * their words alone. Both may also be set in a file .env.
 */
export const embeddingModel: string | undefined = import.meta.env['VITE_EMBEDDING_MODEL']

/** What some embedding models want before a question and before a paragraph; the card of the model says so. */
export const prefixes = { question: '', paragraph: '' }

/** How many paragraphs the model reads for an answer. The small one reads the best one alone. */
export const paragraphsForAnswer = chatModel ? 4 : 1

/** Options of `model.chat`: https://github.com/heed-authors/heed/blob/main/docs/reference/model.chat.md */
export const options = { maxTokens: 300, temperature: 0 }
