import { defineConfig } from 'vitest/config'
import { longestFirst } from './tools/longest-first.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'tools/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'data/**'],
    globalSetup: ['src/testkit/global.ts'],
    testTimeout: 120_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    sequence: {
      sequencer: longestFirst([
        ...['tools/new-service', 'rollback/forward', 'phased/phased', 'packages/processing', 'tools/release/release'],
        ...['apk/inspect', 'signed/signed', 'webhooks/receivers', 'services/cross-team', 'passwords/passwords'],
      ]),
    },
    // Each file opens a stage of its own; reading all modules anew for each would be a sixth of the time.
    isolate: false,
  },
})
