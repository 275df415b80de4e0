// Handlers of unfinished answers; a model that keeps nothing has none.
import type { Handler } from '../host.js'

export const unfinished: Handler<'unfinished'> = ({ kept }) => kept?.unfinished() ?? []

export const forget: Handler<'forget'> = ({ kept }, _, { name }) => kept?.forget(name)
