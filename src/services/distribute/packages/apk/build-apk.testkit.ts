import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { solidPng } from './png.testkit.ts'

const run = promisify(execFile)

const FRAMEWORK = '/usr/share/android-framework-res/framework-res.apk'
const TOOLS = ['aapt', 'zipalign', 'apksigner', 'keytool']
const PASSWORD = 'loggia-test'

/** What to say where tests are skipped for want of tools. */
export const androidToolsHint =
  'needs Android tools: apt-get install aapt zipalign apksigner android-framework-res openjdk-17-jdk-headless'

/** Whether the tools that build and sign packages are installed. */
export function hasAndroidTools(): boolean {
  if (!existsSync(FRAMEWORK)) return false
  try {
    for (const tool of TOOLS) execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A key in a PKCS#12 file. */
export type SigningKey = { path: string; alias: string; password: string }

/** The key in the file at `path`, made on first use and the same ever after. */
export async function signingKey(path: string, subject = 'CN=Loggia Test'): Promise<SigningKey> {
  const key = { path, alias: 'key', password: PASSWORD }
  if (existsSync(path)) return key
  await mkdir(dirname(path), { recursive: true })
  const folder = await mkdtemp(join(dirname(path), 'key-'))
  const made = join(folder, 'key.p12')
  const store = ['-keystore', made, '-storetype', 'PKCS12', '-storepass', PASSWORD]
  const certificate = ['-keyalg', 'RSA', '-keysize', '2048', '-validity', '10000', '-dname', subject]
  await run('keytool', ['-genkeypair', ...store, '-alias', key.alias, ...certificate])
  // Renamed when complete, so that a test in another process never reads half a key.
  await rename(made, path)
  await rm(folder, { recursive: true })
  return key
}

/** The default key of all tests on this machine. */
export const sharedKey = (): Promise<SigningKey> => signingKey(join(tmpdir(), 'loggia-test-keys', 'default.p12'))

export type ApkOptions = {
  package?: string
  versionCode?: number | null
  versionName?: string
  label?: string
  /** Label by resource qualifier, for instance `zh-rCN`. */
  labels?: Record<string, string>
  minSdk?: number
  targetSdk?: number
  permissions?: string[]
  isDebuggable?: boolean
  isTestOnly?: boolean
  /** Attributes of `<manifest>` and elements inside it, as XML. */
  manifestAttributes?: string
  manifestElements?: string
  /** The same of `<application>`. */
  applicationAttributes?: string
  applicationElements?: string
  /** More resources by path under res/, for instance `mipmap-anydpi-v26/ic.xml`; the icon is `@mipmap/ic`. */
  resources?: Record<string, string | Buffer>
  /** More files by path inside the package; stored without compression where `isStored`. */
  files?: Record<string, Buffer>
  isStored?: boolean
  /** Null leaves the package unsigned; the shared key when not given. */
  key?: SigningKey | null
  /** Schemes to sign with; what apksigner chooses for `minSdk` when not given. */
  schemes?: { v1?: boolean; v2?: boolean; v3?: boolean }
  /** More arguments for `apksigner sign`. */
  signerArguments?: string[]
}

/** Builds a real package at `path` with aapt, zipalign and apksigner, and answers `path`. */
export async function buildApk(path: string, options: ApkOptions = {}): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'loggia-apk-'))
  try {
    await writeSources(work, options)
    const unsigned = join(work, 'unsigned.apk')
    const sources = ['-M', join(work, 'AndroidManifest.xml'), '-S', join(work, 'res'), '-I', FRAMEWORK]
    await run('aapt', ['package', '-f', ...sources, '-F', unsigned])
    await addFiles(work, unsigned, options)
    const aligned = join(work, 'aligned.apk')
    await run('zipalign', ['-f', '-p', '4', unsigned, aligned])
    await mkdir(dirname(path), { recursive: true })
    if (options.key === null) await rename(aligned, path)
    else await signApk(aligned, path, options.key ?? (await sharedKey()), options)
    return path
  } finally {
    await rm(work, { recursive: true })
  }
}

async function signApk(input: string, output: string, key: SigningKey, options: ApkOptions): Promise<void> {
  const { schemes = {}, minSdk = 24, signerArguments = [] } = options
  const chosen = (['v1', 'v2', 'v3'] as const).flatMap(scheme =>
    schemes[scheme] === undefined ? [] : [`--${scheme}-signing-enabled`, String(schemes[scheme])],
  )
  const signer = ['--ks', key.path, '--ks-pass', `pass:${key.password}`, '--ks-key-alias', key.alias]
  await run('apksigner', [
    'sign',
    ...signer,
    ...signerArguments,
    ...['--min-sdk-version', String(minSdk)],
    ...['--v4-signing-enabled', 'false'],
    ...chosen,
    ...['--out', output, input],
  ])
}

async function addFiles(work: string, apk: string, { files = {}, isStored = false }: ApkOptions): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(join(work, dirname(path)), { recursive: true })
    await writeFile(join(work, path), bytes)
    await run('aapt', ['add', '-f', ...(isStored ? ['-0', ''] : []), apk, path], { cwd: work })
  }
}

async function writeSources(work: string, options: ApkOptions): Promise<void> {
  const { label = 'Demo', labels = {} } = options
  const strings = (text: string) => `<resources><string name="app_name">${text}</string></resources>`
  const resources: Record<string, string | Buffer> = {
    'values/strings.xml': strings(label),
    'mipmap-mdpi/ic.png': solidPng(48),
    ...options.resources,
  }
  for (const [qualifier, text] of Object.entries(labels)) resources[`values-${qualifier}/strings.xml`] = strings(text)
  for (const [path, content] of Object.entries(resources)) {
    await mkdir(join(work, 'res', dirname(path)), { recursive: true })
    await writeFile(join(work, 'res', path), content)
  }
  await writeFile(join(work, 'AndroidManifest.xml'), manifestXml(options))
}

function manifestXml(options: ApkOptions): string {
  const { versionCode = 1, versionName = '1.0', minSdk = 24, targetSdk = 34, permissions = [] } = options
  const code = versionCode === null ? '' : `android:versionCode="${versionCode}"`
  const uses = permissions.map(name => `<uses-permission android:name="${name}"/>`).join('\n')
  const flags = `android:debuggable="${options.isDebuggable ?? false}" android:testOnly="${options.isTestOnly ?? false}"`
  return `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="${options.package ?? 'org.example.demo'}"
    ${code} android:versionName="${versionName}" ${options.manifestAttributes ?? ''}>
  <uses-sdk android:minSdkVersion="${minSdk}" android:targetSdkVersion="${targetSdk}"/>
  ${uses}
  ${options.manifestElements ?? ''}
  <application android:label="@string/app_name" android:icon="@mipmap/ic" android:hasCode="false" ${flags} ${options.applicationAttributes ?? ''}>
    ${options.applicationElements ?? ''}
  </application>
</manifest>
`
}
