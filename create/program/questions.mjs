// Asks for the folder and the template, unless the command line contains them.
import { stdin, stdout } from 'node:process'
import { createInterface } from 'node:readline/promises'
import { checkFolder } from './project.mjs'
import { checkTemplate, templateNames, templates } from './templates.mjs'

/** Completes the choices {folder, template}. */
export async function ask({ folder, template }) {
  if (folder !== undefined && template !== undefined) return { folder, template }
  const lines = createInterface({ input: stdin, output: stdout })
  try {
    return {
      folder: folder ?? (await answer(lines, 'Folder of the project', 'my-app', checkFolder)),
      template: template ?? (await chosenTemplate(lines)),
    }
  } finally {
    lines.close()
  }
}

async function chosenTemplate(lines) {
  console.log('\nTemplates:')
  for (const [at, { name, about }] of templates.entries()) console.log(`  ${at + 1}  ${name.padEnd(10)}  ${about}`)
  const named = text => templateNames[Number(text) - 1] ?? text
  return named(await answer(lines, 'Number or name', 'chat', text => checkTemplate(named(text))))
}

/** Asks until `check` accepts the answer. An empty answer means `otherwise`. */
async function answer(lines, question, otherwise, check) {
  for (;;) {
    const text = (await lines.question(`${question} (${otherwise}): `)).trim() || otherwise
    try {
      check(text)
      return text
    } catch (error) {
      console.log(error.message)
    }
  }
}
