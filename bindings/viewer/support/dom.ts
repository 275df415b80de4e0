// Helpers that create elements.

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

/** Sets attributes that `make` cannot set as properties, such as references to other elements by id. */
export function describe<Type extends Element>(element: Type, attributes: Record<string, string>): Type {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}
