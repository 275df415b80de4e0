// A Vite plugin that puts the first example into the page, so that it is there before any script: in place of `<!-- example PART
// -->`, the texts of chat/first/example.json, which tools/draw-lesson.mjs writes.
import { readFileSync } from 'node:fs'

const path = new URL('./chat/first/example.json', import.meta.url)
const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

export const firstExample = () => ({
  name: 'heed:first-example',
  transformIndexHtml(html) {
    const { question, answer } = JSON.parse(readFileSync(path, 'utf8'))
    return Object.entries({ question, answer }).reduce(
      (page, [name, parts]) =>
        Object.entries(parts).reduce(
          (page, [part, text]) => page.replaceAll(`<!-- example ${name}.${part} -->`, () => escape(text)),
          page,
        ),
      html,
    )
  },
})
