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
  },
  server: {
    port: 5173,
    proxy: { '^/(?!@|src/|node_modules/|services/|index\\.html|main\\.tsx|i18n/|kit/|shell/|theme/|$)': server },
  },
})
