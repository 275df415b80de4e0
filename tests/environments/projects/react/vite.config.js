import react from '@vitejs/plugin-react'

const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }

export default { plugins: [react()], server: { headers } }
