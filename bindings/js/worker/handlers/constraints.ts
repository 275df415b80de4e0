// Handlers for compiled constraints.
import { type Handler, resting } from '../host.js'

export const compile: Handler<'compile'> = async (host, state, { form }) =>
  (await host.constraints()).hold(form, resting(host, state))
export const release: Handler<'release'> = async (host, _, { form }) => (await host.constraints()).release(form)
export const accepts: Handler<'accepts'> = async (host, state, { form, text }) =>
  (await host.constraints()).accepts(form, text, resting(host, state))
