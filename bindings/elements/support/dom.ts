// Helpers that make elements.

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

/** Makes an element a part, which a page's style sheet can select: `heed-chat::part(name)`. */
export function part<Type extends Element>(name: string, element: Type): Type {
  element.setAttribute('part', name)
  return element
}

/** Without a DOM, as in Node, classes of elements can be imported but not instantiated. */
export const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

const sheets = new Map<string, CSSStyleSheet>()

/**
 * The style sheet for a text; each text has one, which all elements share. It is constructed, not a `<style>` element, so
 * `style-src 'self'` allows it.
 */
export function sheetOf(css: string): CSSStyleSheet {
  const known = sheets.get(css)
  if (known) return known
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  sheets.set(css, sheet)
  return sheet
}
