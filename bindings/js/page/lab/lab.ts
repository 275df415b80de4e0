// The lab's script, loaded at the first call that needs it.
import { fetched } from '../later.js'

export const lab = () => fetched('lab.js', import('./script.js'))
