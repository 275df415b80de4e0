// How the script of a worker says that it runs.

/** The first message of a worker's script. */
export const started = 'heed: started'
