// Settings to change first: the model, and the instructions for it.

/**
 * The model: `hf:OWNER/REPOSITORY:Q4_K_M`, such as `hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M`, or the address of a GGUF file.
 * Default: the small model that comes with Heed, which can shorten stories. A line `VITE_MODEL=…` in a file .env also sets it.
 */
export const source: string | undefined = import.meta.env['VITE_MODEL']

export const promptFor = (title: string, text: string): string =>
  source ? `Summarize this part of the page “${title}” in two or three sentences.\n\n${text}` : `${text} Make it shorter.`

/** The maximum number of tokens in the summary of one part, and of parts that are summarized. */
export const [mostTokens, mostParts] = [160, 8]

/** The number of page tokens that the model reads at a time. Short parts are summarized better than parts that fill the context. */
export const partTokens = 1500
