import { defineConfig } from 'vite'

export default defineConfig({
  base: '/dashboard/',
  // the SDK is a link, and would find the React of its own tests
  resolve: { dedupe: ['react'] },
  esbuild: { jsx: 'automatic', legalComments: 'inline' },
  build: {
    target: 'es2022',
    // the Content-Security-Policy allows files of this server only: no data URLs, no inline scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
