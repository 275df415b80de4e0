// Settings to change first: the model, the forms, and the instructions for the model.
import message from './forms/message.json' with { type: 'json' }
import story from './forms/story.json' with { type: 'json' }
import { labelOf, type FormSchema } from './schema.ts'

/**
 * The model: `hf:OWNER/REPOSITORY:Q4_K_M`, such as `hf:Qwen/Qwen2.5-1.5B-Instruct-GGUF:Q4_K_M`, or the address of a GGUF file.
 * Default: the small model that comes with Heed, which fills in facts from stories; the other form needs a larger model. A line
 * `VITE_MODEL=…` in a file .env also sets it.
 */
export const source: string | undefined = import.meta.env['VITE_MODEL']

/** The forms to choose from. Each is the JSON Schema of an object; at the start, each has an example text. */
export const forms = [story, message] as readonly FormSchema[]

/**
 * The instructions for the model. A larger model also gets the schema as text; the schema constrains the answers of every model.
 */
export function promptFor(text: string, schema: FormSchema): string {
  if (source)
    return `${text}\n\nFill in this form from the text above, as JSON that matches this schema:\n${JSON.stringify(schema)}`
  const names = Object.entries(schema.properties).map(([key, field]) => `the ${labelOf(key, field).toLowerCase()}`)
  return `${text} Give me ${names.slice(0, -1).join(', ')} and ${names.at(-1)} as JSON.`
}
