// Vite's configuration: builds the side panel, and the background script under the name in manifest.json. An extension may not load
// code from elsewhere, so everything, including the model, is in dist/.
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
