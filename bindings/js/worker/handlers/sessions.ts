// Handlers for sessions and memory use, which run no pass. The page and the engine number sessions independently.
import type { Engine } from '../engine.js'
import type { CallState, Handler, Host } from '../host.js'

/** A handler that gets the engine's number of the call's session. */
const ofSession =
  <Call extends { session: number }, Result>(use: (engine: Engine, session: number, call: Call) => Result) =>
  ({ engine, sessions }: Host, _: CallState, call: Call) =>
    use(engine, sessions.get(call.session)!, call)

/** A handler for a copy of a session, which `create` makes; it returns the session's tokens. */
const newSession =
  <Call extends { session: number }>(create: (host: Host, call: Call) => number) =>
  (host: Host, _: CallState, call: Call) => {
    const session = create(host, call)
    host.sessions.set(call.session, session)
    return host.engine.sessionTokens(session)
  }

export const openSession: Handler<'openSession'> = ({ engine, sessions }, _, { session }) => {
  sessions.set(session, engine.createSession())
}

export const forkSession: Handler<'forkSession'> = newSession(({ engine, sessions }, { from }) =>
  engine.forkSession(sessions.get(from)!),
)

export const restoreSession: Handler<'restoreSession'> = newSession(({ engine }, { bytes }) => engine.restoreSession(bytes))

export const truncateSession: Handler<'truncateSession'> = ofSession((engine, session, { length }) => {
  engine.truncateSession(session, length)
  return engine.sessionTokens(session)
})

export const sessionTokens: Handler<'sessionTokens'> = ofSession((engine, session) => engine.sessionTokens(session))

export const saveSession: Handler<'saveSession'> = ofSession((engine, session) => engine.saveSession(session))

export const closeSession: Handler<'closeSession'> = ofSession((engine, session) => engine.freeSession(session))

export const memory: Handler<'memory'> = ({ engine }) => engine.memory()
