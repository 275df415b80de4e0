// Settings to change first: the two models, and how many paragraphs the model reads for a question.

/**
 * The model that answers: `hf:OWNER/REPOSITORY:Q4_K_M`, such as `hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M`, or the address of a
 * GGUF file. Default: the small model that comes with Heed; it understands short stories, such as the examples.
 */
export const chatModel: string | undefined = import.meta.env['VITE_CHAT_MODEL']

/**
 * The embedding model: an encoder, such as `hf:CompendiumLabs/bge-small-en-v1.5-gguf:Q8_0`. Without one, documents are searched
 * only by their words. Both models can also be set in a file .env.
 */
export const embeddingModel: string | undefined = import.meta.env['VITE_EMBEDDING_MODEL']

/** Texts that some embedding models require before questions and before paragraphs; see the model card. */
export const prefixes = { question: '', paragraph: '' }

/** The number of paragraphs that the model reads for an answer. The small model reads only the best one. */
export const paragraphsForAnswer = chatModel ? 4 : 1

/** Options of `model.chat`: https://github.com/heed-authors/heed/blob/main/docs/reference/model.chat.md */
export const options = { maxTokens: 300, temperature: 0 }
