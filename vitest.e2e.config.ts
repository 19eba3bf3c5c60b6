import { defineConfig } from 'vitest/config'
import { longestFirst } from './tools/longest-first.ts'

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/started-once.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['e2e/one-browser.ts', 'e2e/stop-at-failure.ts'],
    maxWorkers: 2,
    sequence: {
      sequencer: longestFirst([
        ...['pages', 'random-faults', 'cloud-db', 'release-journey', 'modes', 'session', 'faults', 'reports'],
        ...['database-pages', 'function-pages', 'rules-editor', 'file-browser', 'user-pages', 'experiments'],
        ...['storage', 'webhooks', 'function-queue', 'app-users', 'switches', 'client', 'two-servers', 'passkeys'],
      ]),
    },
  },
})
