// What to change first: the model, and what it is asked.

/**
 * The model: `hf:OWNER/REPOSITORY:Q4_K_M`, such as `hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M`, or the address of a GGUF file. Without one,
 * the small model that comes with Heed; it shortens stories. A line `VITE_MODEL=…` in a file .env sets it, too.
 */
export const source: string | undefined = import.meta.env['VITE_MODEL']

export const promptFor = (title: string, text: string): string =>
  source ? `Summarize this part of the page “${title}” in two or three sentences.\n\n${text}` : `${text} Make it shorter.`

/** Tokens that a summary of one part may have, and how many parts of a long page are summarized. */
export const [mostTokens, mostParts] = [160, 8]

/** How many tokens of the page the model reads at a time: a short part is summarized better than one that fills its context. */
export const partTokens = 1500
