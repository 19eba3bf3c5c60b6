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
    // What many pages share of the components comes in one file: over a hundred small ones cost more in headers.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // React stands apart, so that the sign-in page needs none of the components.
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\/|vite\/preload-helper/, priority: 1 },
            { name: 'components', test: /@cloudscape-design/, minShareCount: 8 },
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
