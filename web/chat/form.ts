// The constraint that the user chooses for answers: a ready schema, or one of their own.
import type { ChatOptions, Model } from 'heed'
import { byId, make } from '../support/dom.js'

interface Ready {
  readonly label: string
  readonly schema: object
}

const ready: readonly Ready[] = [
  { label: 'Yes or no', schema: { enum: ['yes', 'no'] } },
  { label: 'A number', schema: { type: 'integer', minimum: 0, maximum: 1000 } },
  {
    label: 'A list of words',
    schema: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$', maxLength: 20 }, minItems: 1, maxItems: 5 },
  },
  {
    label: 'A character of a story',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['name', 'kind', 'mood', 'friends'],
      properties: {
        name: { type: 'string', pattern: '^[A-Z][a-z]+$', maxLength: 12 },
        kind: { enum: ['fox', 'owl', 'hen', 'bear', 'mouse'] },
        mood: { enum: ['happy', 'sad', 'afraid', 'curious'] },
        friends: { type: 'integer', minimum: 0, maximum: 9 },
      },
    },
  },
]

/** The ready schema of a choice; undefined if the choice is not a ready schema. */
const readySchema = (choice: string): object | undefined => ready[choice === '' ? -1 : Number(choice)]?.schema

/** A pause in typing after which the user's schema is checked. */
const pauseMs = 400

export class Form {
  readonly #choice = byId('form', HTMLSelectElement)
  readonly #schema = byId('form-schema', HTMLTextAreaElement)
  readonly #verdict = byId('form-verdict', HTMLParagraphElement)
  readonly #button = byId('form-button', HTMLButtonElement)
  readonly #title = this.#button.textContent
  /** The user's own schema, also while a ready one is chosen. */
  #own = ''
  #model?: Model
  #timer?: ReturnType<typeof setTimeout>
  /** The number of the last check. */
  #check = 0

  /** `onChange` is called when another constraint is chosen. */
  constructor(onChange: () => void) {
    this.#choice.append(
      make('option', { value: '' }, 'Any text'),
      ...ready.map(({ label }, at) => make('option', { value: `${at}` }, label)),
      make('option', { value: 'own' }, 'JSON by your schema'),
    )
    this.#choice.addEventListener('change', () => {
      this.#choose()
      onChange()
    })
    this.#schema.addEventListener('input', () => {
      this.#choice.value = 'own'
      this.#own = this.#schema.value
      this.#changed(pauseMs)
      onChange()
    })
    this.#choose()
  }

  /** Switches to a model, with whose tokens constraints are checked. */
  use(model: Model | undefined): void {
    this.#model = model
    this.#changed(0)
  }

  /** Focuses the schema if it is invalid, otherwise the choice. */
  focus(): void {
    ;(this.#schema.ariaInvalid === 'true' ? this.#schema : this.#choice).focus()
  }

  /** Resolves to whether answers can have the chosen form; if not, the verdict says why, and that nothing is sent. */
  async check(): Promise<boolean> {
    clearTimeout(this.#timer)
    return (await this.#judge('Not sent. ')) === ''
  }

  /** The user's choice, and their own schema. */
  get chosen(): { readonly choice: string; readonly schema: string } {
    return { choice: this.#choice.value, schema: this.#own }
  }

  set chosen({ choice, schema }) {
    this.#choice.value = choice
    if (this.#choice.value !== choice) this.#choice.value = '' // it is no longer offered
    this.#own = this.#schema.value = schema
    this.#choose()
  }

  /** The schema for a link; undefined for any text. */
  get linked(): string | undefined {
    const { value } = this.#choice
    const schema = readySchema(value)
    if (schema) return JSON.stringify(schema)
    return value === '' || this.#own === '' ? undefined : this.#own
  }

  /** Takes the schema of a link, which may be a ready one. Without one, the user's own schema stays for later. */
  set linked(schema) {
    const at = ready.findIndex(one => JSON.stringify(one.schema) === schema)
    if (at >= 0) this.chosen = { choice: `${at}`, schema: this.#own }
    else this.chosen = schema === undefined ? { choice: '', schema: this.#own } : { choice: 'own', schema }
  }

  /** The option of a chat; empty for any text. White space is limited, because small models tend to continue it. */
  get option(): Pick<ChatOptions, 'jsonSchema' | 'maxWhitespace'> {
    return this.#choice.value === '' ? {} : { jsonSchema: this.#schema.value, maxWhitespace: 1 }
  }

  #choose(): void {
    const { value } = this.#choice
    const schema = readySchema(value)
    if (schema) this.#schema.value = JSON.stringify(schema, null, 1)
    else if (this.#own !== '') this.#schema.value = this.#own
    else if (value === 'own') this.#own = this.#schema.value // the user's schema begins as the ready one chosen before
    this.#changed(0)
  }

  #changed(pause: number): void {
    const {
      value,
      selectedOptions: [chosen],
    } = this.#choice
    this.#schema.parentElement!.hidden = value === ''
    this.#button.textContent = value === '' ? this.#title : `${this.#title}: ${chosen!.text}`
    this.#button.classList.toggle('on', value !== '')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#judge(), pause)
  }

  /** Shows whether answers can satisfy the constraint; if not, `consequence`, then why and where. Resolves to the problem. */
  async #judge(consequence = ''): Promise<string> {
    const check = ++this.#check
    const { jsonSchema } = this.option
    const problem = jsonSchema === undefined || !this.#model ? '' : await problemOf(this.#model, jsonSchema)
    if (check !== this.#check) return problem
    this.#schema.ariaInvalid = `${problem !== ''}`
    const promise = jsonSchema === undefined ? '' : 'Answers will have this form, and call no tools.'
    this.#verdict.textContent = problem === '' ? promise : consequence + problem
    return problem
  }
}

async function problemOf(model: Model, jsonSchema: NonNullable<ChatOptions['jsonSchema']>): Promise<string> {
  if (jsonSchema === '') return 'Write a JSON Schema into the box, as in its example, or choose another form.'
  try {
    await (await model.compile({ jsonSchema })).dispose()
    return ''
  } catch (error) {
    const { schemaProblem } = await import('./schema-problem.js')
    return `This schema cannot be used: ${schemaProblem((error as Error).message)}.`
  }
}
