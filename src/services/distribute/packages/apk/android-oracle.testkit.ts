import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What `aapt dump badging` says, in the words of our manifest. */
export type Badging = {
  package: string
  versionCode: string
  versionName: string
  label: string | null
  labels: Record<string, string>
  minSdk: number | null
  targetSdk: number | null
  permissions: { name: string; maxSdk?: number }[]
  features: string[]
  impliedFeatures: string[]
  abis: string[]
  isDebuggable: boolean
  isTestOnly: boolean
}

/** Reads a package with aapt. */
export async function badging(path: string): Promise<Badging> {
  const { stdout } = await run('aapt', ['dump', 'badging', path], { maxBuffer: 16 << 20 }).catch(
    (error: { stdout: string }) => error,
  )
  const first = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? null
  const all = (pattern: RegExp) => [...stdout.matchAll(pattern)]
  const number = (text: string | null) => (text === null ? null : Number(text))
  return {
    package: first(/^package: name='([^']*)'/m) ?? '',
    versionCode: first(/versionCode='([^']*)'/) ?? '',
    versionName: first(/versionName='([^']*)'/) ?? '',
    label: first(/^application-label:'(.*)'$/m),
    labels: Object.fromEntries(
      all(/^application-label-([^:]+):'(.*)'$/gm).map(([, lang = '', text = '']) => [lang, text]),
    ),
    minSdk: number(first(/^sdkVersion:'(\d+)'/m)),
    targetSdk: number(first(/^targetSdkVersion:'(\d+)'/m)),
    permissions: all(/^uses-permission: name='([^']*)'(?: maxSdkVersion='(\d+)')?/gm).map(([, name = '', max]) =>
      max === undefined ? { name } : { name, maxSdk: Number(max) },
    ),
    features: all(/^ {2}uses-feature(?:-not-required)?: name='([^']*)'/gm).map(([, name = '']) => name),
    impliedFeatures: all(/uses-implied-feature: name='([^']*)'/g).map(([, name = '']) => name),
    abis: [...(first(/^native-code: (.*)$/m) ?? '').matchAll(/'([^']+)'/g)].map(([, abi = '']) => abi),
    isDebuggable: /^application-debuggable/m.test(stdout),
    isTestOnly: /^testOnly='(?!0)/m.test(stdout),
  }
}

/** Certificate digests `apksigner verify` prints, and whether it verified. */
export async function apksignerVerdict(path: string): Promise<{ verified: boolean; signers: string[] }> {
  try {
    const { stdout } = await run('apksigner', ['verify', '--print-certs', path])
    const digests = [...stdout.matchAll(/certificate SHA-256 digest: (\w+)/g)].map(([, digest = '']) => digest)
    return { verified: true, signers: digests.sort() }
  } catch {
    return { verified: false, signers: [] }
  }
}
