import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The walk of every page is by far the longest: beside it all the others run one after another. */
class WalkFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isWalk = (file: TestSpecification) => Number(file.moduleId.endsWith('/pages.test.ts'))
    return (await super.sort(files)).toSorted((a, b) => isWalk(b) - isWalk(a))
  }
}

export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/started-once.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['e2e/one-browser.ts', 'e2e/stop-at-failure.ts'],
    maxWorkers: 2,
    sequence: { sequencer: WalkFirst },
  },
})
