// The script of models that tabs share, loaded with the first such model.
import { fetched } from '../later.js'

export const shared = () => fetched('shared.js', import('./script.js'))
