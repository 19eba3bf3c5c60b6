import { describe } from 'vitest'
import { androidToolsHint, hasAndroidTools } from './build-apk.testkit.ts'

/** A suite that is skipped, and says in its name what to install, where `isPossible` does not hold. */
export function suiteWhen(isPossible: boolean, hint: string, name: string, body: () => void): void {
  describe.skipIf(!isPossible)(isPossible ? name : `${name} [skipped: ${hint}]`, body)
}

/** A suite that builds packages with Debian's Android tools. */
export const androidSuite = (name: string, body: () => void): void =>
  suiteWhen(hasAndroidTools(), androidToolsHint, name, body)
