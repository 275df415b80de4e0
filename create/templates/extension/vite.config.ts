// Vite's configuration: the side panel and the background script, whose name manifest.json has. An extension may load no code from elsewhere,
// so everything, the model included, goes into dist/.
import { defineConfig } from 'vite'

export default defineConfig({
  base: './',
  build: {
    target: 'chrome116',
    modulePreload: false,
    rolldownOptions: {
      input: { panel: 'panel.html', background: 'src/background.ts' },
      output: { entryFileNames: ({ name }) => (name === 'background' ? 'background.js' : 'assets/[name]-[hash].js') },
    },
  },
})
