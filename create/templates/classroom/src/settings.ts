// Settings to change first: the model. The questions are in questions.ts.

/**
 * The model: `hf:OWNER/REPOSITORY:Q4_K_M`, or the address of a GGUF file. Default: the small model that comes with Heed; the
 * questions are about its heads. A line `VITE_MODEL=…` in a file .env also sets it.
 */
export const source: string | undefined = import.meta.env['VITE_MODEL']
