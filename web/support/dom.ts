// Helpers that find and create elements.

/** The element of the page with this id. Throws if index.html has none of that type. */
export function byId<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} with the id ${id}`)
  return found
}

/** Creates an element with these properties and children. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** A plain button; `label` is its accessible name if the text says too little. */
export function button(name: string, press: () => void, label = name): HTMLButtonElement {
  const made = make('button', { type: 'button', className: 'quiet', ariaLabel: label === name ? null : label }, name)
  made.addEventListener('click', press)
  return made
}

/** Scrolls the page to an element that has changed, unless it begins in the upper half of the window. */
export function bringIntoView(element: HTMLElement): void {
  const { top, bottom } = element.getBoundingClientRect()
  if (top > innerHeight / 2 || bottom < innerHeight / 4) element.scrollIntoView()
}

/** Whether an event is in a dialog, which handles keys first. */
export const isInDialog = ({ target }: Event) => target instanceof Element && target.closest('dialog') !== null
