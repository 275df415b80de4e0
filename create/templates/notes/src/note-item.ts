// One note in the list, which can be edited there.
import type { Note } from './keeping.ts'
import { make } from './page/elements.ts'

const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

interface Actions {
  write(text: string, id: string): void
  delete(id: string): void
}

export function noteItem({ id, text, changed }: Note, actions: Actions): HTMLLIElement {
  const shown = make('p', { className: 'said' }, text)
  const edit = make('button', { type: 'button', className: 'quiet' }, 'Edit')
  const remove = make('button', { type: 'button', className: 'quiet' }, 'Delete')
  const bar = make('div', { className: 'row' }, make('span', { className: 'soft' }, dates.format(changed)), edit, remove)
  const item = make('li', { className: 'card' }, shown, bar)
  remove.addEventListener('click', () => actions.delete(id))
  edit.addEventListener('click', () => {
    const area = make('textarea', { value: text, ariaLabel: 'Note' })
    const save = make('button', { type: 'button' }, 'Save')
    save.addEventListener('click', () => area.value.trim() && actions.write(area.value.trim(), id))
    item.replaceChildren(area, make('div', { className: 'row' }, save))
    area.focus()
  })
  return item
}
