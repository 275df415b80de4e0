// Settings to change first: the model, and the options of its answers.

/**
 * The model: `hf:OWNER/REPOSITORY:Q4_K_M`, such as `hf:Qwen/Qwen2.5-0.5B-Instruct-GGUF:Q4_K_M`, or the address of a GGUF file.
 * Default: the small model that comes with Heed, which tells stories and answers questions about them. A line `VITE_MODEL=…` in a
 * file .env also sets it.
 */
export const source: string | undefined = import.meta.env['VITE_MODEL']

/** Options of `model.chat`: https://github.com/heed-authors/heed/blob/main/docs/reference/model.chat.md */
export const options = { maxTokens: 400, temperature: 0.7, trim: true }
