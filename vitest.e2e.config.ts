import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    fileParallelism: false,
    setupFiles: ['e2e/stop-at-failure.ts'],
    maxWorkers: 1,
  },
})
