import type { Work } from '../../../server/work.ts'
import { giveUpPackage, processingKind, processPackage } from './processing.ts'

export default {
  jobs: [{ kind: processingKind, run: processPackage, giveUp: giveUpPackage }],
} satisfies Work
