// Handlers for compiled constraints.
import { type Handler, resting } from '../host.js'

export const compile: Handler<'compile'> = (host, state, { form }) => host.constraints.hold(form, resting(host, state))
export const release: Handler<'release'> = ({ constraints }, _, { form }) => constraints.release(form)
export const accepts: Handler<'accepts'> = (host, state, { form, text }) => host.constraints.accepts(form, text, resting(host, state))
