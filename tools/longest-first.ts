import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The order of test files: those named first, in their order, then the others as Vitest would have them. Two workers end
 * at about the same time only when what takes longest does not begin last, and on a fresh machine Vitest knows no times.
 */
export const longestFirst = (names: readonly string[]) =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const rank = ({ moduleId }: TestSpecification) => {
        const at = names.findIndex(name => moduleId.endsWith(`/${name}.test.ts`))
        return at < 0 ? names.length : at
      }
      return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
    }
  }
