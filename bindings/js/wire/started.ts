// How the script of a worker, the engine's or a thread's, says that it runs.

/** The first message of a worker's script. */
export const started = 'heed: started'
