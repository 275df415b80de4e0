// Handlers for compiled constraints.
import type { Handler } from '../host.js'

export const compile: Handler<'compile'> = ({ constraints }, _, { form }) => constraints.hold(form)
export const release: Handler<'release'> = ({ constraints }, _, { form }) => constraints.release(form)
export const accepts: Handler<'accepts'> = ({ constraints }, _, { form, text }) => constraints.accepts(form, text)
