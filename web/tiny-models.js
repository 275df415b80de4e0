// A Vite plugin that copies the models of models/tiny next to the page, with a list of them, which is empty if there are none.
import { existsSync, readFileSync, statSync } from 'node:fs'

const folder = new URL('../models/tiny/', import.meta.url)

/** The entries of the list; OwnModel in model/own.ts describes them. */
function readList() {
  const path = new URL('catalogue.json', folder)
  const models = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
  const nameIn = ({ name, file }) => (file.endsWith('.gguf') ? name : '') // whisper.cpp's files have none
  return models.map(model => ({ ...model, content: { name: nameIn(model), bytes: statSync(new URL(model.file, folder)).size } }))
}

export const tinyModels = () => ({
  name: 'heed:tiny-models',
  generateBundle() {
    const models = readList()
    const files = models.flatMap(({ file, projector, example }) =>
      [file, projector ?? [], example?.picture ?? [], example?.pictures ?? [], example?.sound ?? []].flat(),
    )
    for (const file of new Set(files)) {
      this.emitFile({ type: 'asset', fileName: `tiny/${file}`, source: readFileSync(new URL(file, folder)) })
    }
    this.emitFile({ type: 'asset', fileName: 'tiny/catalogue.json', source: JSON.stringify(models) })
  },
})
