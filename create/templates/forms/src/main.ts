// The page: a text at the top, the form below. The fields fill while the model writes, and the user can correct them.
import { faultOf } from './checking.ts'
import { Field } from './field.ts'
import { byId, inWords, make } from './page/elements.ts'
import { openModel } from './page/open-model.ts'
import { prepare } from './prepare.ts'
import { withFixed, type FormSchema, type Value } from './schema.ts'
import { forms, promptFor, source } from './settings.ts'
import './styles/base.css'
import './styles/forms.css'

const kind = byId('kind', HTMLSelectElement)
const text = byId('text', HTMLTextAreaElement)
const fill = byId('fill', HTMLButtonElement)
const stop = byId('stop', HTMLButtonElement)
const form = byId('form', HTMLFormElement)
const fieldsShown = byId('fields', HTMLDivElement)
const use = byId('use', HTMLButtonElement)
const fault = byId('fault', HTMLParagraphElement)
const result = byId('result', HTMLPreElement)
const resultTitle = byId('result-title', HTMLHeadingElement)

let schema: FormSchema
let fields: Field[] = []

kind.append(...forms.map(({ title }, at) => make('option', { value: String(at) }, title)))
kind.addEventListener('change', () => showForm(forms[Number(kind.value)]!))
showForm(forms[0]!)

await prepare()
const model = await openModel(source, byId('status', HTMLParagraphElement))
fill.disabled = use.disabled = false

function showForm(chosen: FormSchema): void {
  schema = chosen
  fields = Object.entries(schema.properties).map(([key, field]) => new Field(key, field, schema.required.includes(key), check))
  fieldsShown.replaceChildren(...fields.map(({ element }) => element))
  text.value = schema.examples?.[0] ?? ''
  showResult(undefined)
}

async function check(field: Field): Promise<boolean> {
  const found = await faultOf(model, field)
  field.fault = found
  return found === ''
}

/** The values of these fields by their keys, without empty ones. */
const valuesOf = (some: readonly Field[]): Record<string, Value> =>
  Object.fromEntries(some.map(({ key, value }) => [key, value] as const).filter(([, value]) => value !== undefined))

fill.addEventListener('click', async () => {
  const filled = fields
  const fixed = valuesOf(filled.filter(({ corrected }) => corrected))
  const controller = new AbortController()
  stop.onclick = () => controller.abort()
  writing(true)
  try {
    const chat = model.chat([{ role: 'user', content: promptFor(text.value, schema) }], {
      jsonSchema: withFixed(schema, fixed),
      temperature: 0,
      maxTokens: 400,
      signal: controller.signal,
    })
    for await (const _ of chat) show(filled, chat.parsed)
    show(filled, (await chat).parsed)
    for (const field of filled) await check(field)
  } catch (error) {
    fault.textContent = inWords(error)
  } finally {
    writing(false)
  }
})

/** Fills fields with the answer so far, except for fields that the user has corrected. */
function show(filled: readonly Field[], parsed: unknown): void {
  if (typeof parsed !== 'object' || parsed === null) return
  for (const field of filled)
    if (!field.corrected && field.key in parsed) field.value = (parsed as Record<string, Value>)[field.key]
}

function writing(on: boolean): void {
  fill.disabled = use.disabled = kind.disabled = on
  stop.hidden = !on
  form.ariaBusy = String(on)
  if (on) fault.textContent = ''
}

form.addEventListener('submit', async event => {
  event.preventDefault()
  const right: boolean[] = []
  for (const field of fields) right.push(await check(field))
  const wrong = fields[right.indexOf(false)]
  wrong?.focus()
  showResult(wrong ? undefined : valuesOf(fields))
})

form.addEventListener('reset', () => {
  for (const field of fields) {
    field.corrected = false
    field.fault = ''
  }
  showResult(undefined)
})

function showResult(values: object | undefined): void {
  result.textContent = values ? JSON.stringify(values, null, 2) : ''
  result.hidden = resultTitle.hidden = !values
}
