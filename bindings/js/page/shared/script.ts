// dist/shared.js: the tabs that share a model, loaded with the first such model.
export { join } from './join.js'
