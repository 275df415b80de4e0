// One field of the form: the control for its schema, its value, and the problem with it.
import { make } from './page/elements.ts'
import { labelOf, type FieldSchema, type Value } from './schema.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const linesOf = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

export class Field {
  readonly element: HTMLElement
  /** Whether the user has changed the value since it was filled in. */
  corrected = false
  #control: Control
  #fault = make('p', { className: 'bad fault' })

  /** `onChange` is called when the user has changed the value. */
  constructor(
    readonly key: string,
    readonly schema: FieldSchema,
    readonly required: boolean,
    onChange: (field: Field) => void,
  ) {
    const id = `field-${key}`
    this.#fault.id = `${id}-fault`
    this.#control = controlFor(schema)
    this.#control.id = id
    this.#control.setAttribute('aria-describedby', this.#fault.id)
    this.#control.addEventListener('change', () => {
      this.corrected = true
      onChange(this)
    })
    const hint = schema.type === 'array' ? ' (one in each line)' : required ? '' : ' (may be empty)'
    this.element = make(
      'div',
      { className: 'field' },
      make('label', { htmlFor: id }, labelOf(key, schema) + hint),
      this.#control,
      this.#fault,
    )
  }

  /** The value as in JSON; undefined if the field is empty. */
  get value(): Value {
    const { schema } = this
    const control = this.#control
    if (schema.type === 'boolean') return (control as HTMLInputElement).checked
    if (schema.type === 'array') return linesOf(control.value)
    const text = control.value.trim()
    if (text === '') return undefined
    return schema.type === 'number' || schema.type === 'integer' ? Number(text) : text
  }

  set value(value: Value) {
    this.corrected = false
    if (this.schema.type === 'boolean') (this.#control as HTMLInputElement).checked = value === true
    else this.#control.value = Array.isArray(value) ? value.join('\n') : String(value ?? '')
  }

  /** The problem with the value; empty if there is none. */
  set fault(text: string) {
    this.#fault.textContent = text
    this.#control.setAttribute('aria-invalid', String(text !== ''))
  }

  focus(): void {
    this.#control.focus()
  }
}

/** Throws for schemas without a control here. */
function controlFor(schema: FieldSchema): Control {
  switch (schema.type) {
    case undefined:
      return make(
        'select',
        {},
        make('option', { value: '' }, 'choose'),
        ...schema.enum.map(value => make('option', { value }, value)),
      )
    case 'boolean':
      return make('input', { type: 'checkbox' })
    case 'integer':
    case 'number':
      return make('input', { type: 'number', step: schema.type === 'integer' ? '1' : 'any' })
    case 'array':
      return make('textarea', { rows: 2 })
    case 'string':
      return make('input', { type: schema.format === 'email' ? 'email' : schema.format === 'date' ? 'date' : 'text' })
    default:
      throw new Error(`a form cannot show a field of type "${(schema as { type: string }).type}"`)
  }
}
