// Finds the elements of index.html, and creates new ones.

type Kind<Of extends HTMLElement> = new () => Of

/** The element with this id. Throws if there is none or if it is of another kind, because index.html and the scripts must match. */
export function byId<Of extends HTMLElement>(id: string, kind: Kind<Of>): Of {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} with the id "${id}"`)
  return found
}

/** A new element with properties and children. Texts become text nodes, never markup, so any text is safe. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

/** A description of an error for the user. */
export const inWords = (error: unknown): string => (error instanceof Error ? error.message : String(error))
