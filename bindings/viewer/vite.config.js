// Builds the viewer into one file, dist/viewer.js, with its styles included.
import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  build: {
    outDir: '../../dist',
    emptyOutDir: false,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // the first versions with light-dark()
    sourcemap: true,
    rolldownOptions: { output: { minify: true } },
    lib: { entry: 'index.ts', formats: ['es'], fileName: () => 'viewer.js' },
  },
})
