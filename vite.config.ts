import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { serverCodeGuard } from './tools/vite-guard.ts'
import { loggiaTheme } from './tools/vite-theme.ts'

const server = `http://127.0.0.1:${process.env.PORT ?? 8080}`

export default defineConfig({
  root: 'src/console',
  publicDir: false,
  plugins: [serverCodeGuard(), loggiaTheme(), react()],
  build: {
    outDir: '../../dist/console',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
    // What many pages share comes in a few files: over a hundred small ones cost more in headers, and are pressed worse.
    rolldownOptions: {
      output: {
        // Every document is sent the names of all files: without their words it is three kilobytes less.
        chunkFileNames: 'assets/[hash:8].js',
        codeSplitting: {
          groups: [
            // What the sign-in page needs stands apart from the components, of which it needs none.
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\/|vite\/preload-helper/, priority: 1 },
            { name: 'libraries', test: /node_modules\/(?:@tanstack|i18next|react-i18next)\//, minShareCount: 10 },
            { name: 'console', test: /\/src\/(?:console\/[\w.-]+\.tsx?$|kernel\/)/, minShareCount: 10 },
            { name: 'contracts', test: /\/services\/.*\/(?:contract|rules)\.ts$/, minShareCount: 20 },
            { name: 'components', test: /@cloudscape-design/, minShareCount: 30 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '^/(?!@|src/|node_modules/|services/|index\\.html|main\\.tsx|i18n/|kit/|shell/|theme/|$)': server },
  },
})
