import { suiteWhen } from '../packages/apk/android-suite.testkit.ts'
import { hasOpenssl, opensslHint } from './signing.testkit.ts'

/** A suite that makes keys as developers do. */
export const keySuite = (name: string, body: () => void): void => suiteWhen(hasOpenssl, opensslHint, name, body)
