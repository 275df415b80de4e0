import adapter from '@sveltejs/adapter-static'
import { sveltekit } from '@sveltejs/kit/vite'

const isolate = (request, response, next) => {
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp')
  next()
}

/** The headers for threads. SvelteKit itself ignores `server.headers`. */
const isolation = {
  name: 'isolation',
  configureServer: ({ middlewares }) => {
    middlewares.use(isolate)
  },
  configurePreviewServer: ({ middlewares }) => {
    middlewares.use(isolate)
  },
}

export default {
  plugins: [isolation, sveltekit({ adapter: adapter() })],
}
