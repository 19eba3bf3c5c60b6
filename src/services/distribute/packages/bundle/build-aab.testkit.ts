import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type SigningKey, sharedKey } from '../apk/build-apk.testkit.ts'
import { solidPng } from '../apk/png.testkit.ts'
import { makeZip, type TestEntry } from '../apk/zip.testkit.ts'

const run = promisify(execFile)
const FRAMEWORK = '/usr/share/android-framework-res/framework-res.apk'
const TOOLS = ['aapt2', 'zipalign', 'apksigner', 'jarsigner', 'unzip']

export const bundleToolsHint =
  'needs Android tools: apt-get install aapt zipalign apksigner android-framework-res openjdk-17-jdk-headless unzip'

export function hasBundleTools(): boolean {
  if (!existsSync(FRAMEWORK)) return false
  try {
    for (const tool of TOOLS) execFileSync('sh', ['-c', `command -v ${tool}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export interface AabOptions {
  package?: string
  versionCode?: number
  label?: string
  labels?: Record<string, string>
  isDebuggable?: boolean
  /** Resources of the base module besides its name and icon, by path below `res`. */
  resources?: Record<string, string | Buffer>
  /** Files by path inside the bundle; they take the place of those that are there. */
  files?: Record<string, Buffer>
  /** Manifests of more modules, as XML below `<manifest>`. */
  modules?: Record<string, string>
  /** Null leaves it unsigned. */
  key?: SigningKey | null
}

/** Builds a real bundle at `path` with aapt2 and jarsigner, and answers `path`. */
export async function buildAab(path: string, options: AabOptions = {}): Promise<string> {
  const work = await mkdtemp(join(tmpdir(), 'loggia-aab-'))
  try {
    const entries: TestEntry[] = [{ name: 'BundleConfig.pb', data: Buffer.from('0a081206312e31352e36', 'hex') }]
    for (const [module, inner] of Object.entries({ base: '', ...options.modules })) {
      entries.push(...(await moduleEntries(join(work, module), module, inner, options)))
    }
    const files = options.files ?? {}
    const kept = entries.filter(entry => !(entry.name in files))
    for (const [name, data] of Object.entries(files)) kept.push({ name, data, isDeflated: true })
    await mkdir(dirname(path), { recursive: true })
    const unsigned = join(work, 'unsigned.aab')
    await writeFile(unsigned, makeZip(kept))
    if (options.key === null) await rename(unsigned, path)
    else await signJar(unsigned, path, options.key ?? (await sharedKey()))
    return path
  } finally {
    await rm(work, { recursive: true })
  }
}

async function moduleEntries(work: string, module: string, inner: string, options: AabOptions): Promise<TestEntry[]> {
  const { label = 'Bundle', labels = {}, versionCode = 1, isDebuggable = false } = options
  const isBase = module === 'base'
  const strings = (text: string) => `<resources><string name="app_name">${text}</string></resources>`
  const resources: Record<string, string | Buffer> = isBase
    ? {
        'values/strings.xml': strings(label),
        'mipmap-mdpi/ic.png': solidPng(48),
        'mipmap-xhdpi/ic.png': solidPng(96),
        ...options.resources,
      }
    : {}
  for (const [qualifier, text] of Object.entries(isBase ? labels : {}))
    resources[`values-${qualifier}/strings.xml`] = strings(text)
  for (const [name, content] of Object.entries(resources)) {
    await mkdir(join(work, 'res', dirname(name)), { recursive: true })
    await writeFile(join(work, 'res', name), content)
  }
  const application = isBase
    ? `<application android:label="@string/app_name" android:icon="@mipmap/ic" android:hasCode="false" android:debuggable="${isDebuggable}">
        <activity android:name=".Main" android:exported="true"/></application>`
    : '<application android:hasCode="false"/>'
  await mkdir(work, { recursive: true })
  await writeFile(
    join(work, 'AndroidManifest.xml'),
    `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:dist="http://schemas.android.com/apk/distribution"
  package="${options.package ?? 'org.example.bundle'}" android:versionCode="${versionCode}" android:versionName="${versionCode}.0">
  <uses-sdk android:minSdkVersion="24" android:targetSdkVersion="34"/>
  <uses-permission android:name="android.permission.INTERNET"/>
  ${inner}
  ${application}
</manifest>`,
  )
  const linked = join(work, 'linked.zip')
  const compiled = join(work, 'compiled.zip')
  if (isBase) await run('aapt2', ['compile', '--dir', join(work, 'res'), '-o', compiled])
  await run('aapt2', [
    ...['link', '--proto-format', '-o', linked, '-I', FRAMEWORK, '--manifest', join(work, 'AndroidManifest.xml')],
    ...(isBase ? [compiled, '--auto-add-overlay'] : []),
  ])
  const out = join(work, 'out')
  await run('unzip', ['-q', '-o', linked, '-d', out])
  const files = await readdir(out, { recursive: true, withFileTypes: true })
  return Promise.all(
    files
      .filter(one => one.isFile())
      .map(async one => {
        const full = join(one.parentPath, one.name)
        const inside = full.slice(out.length + 1)
        const name = inside === 'AndroidManifest.xml' ? `manifest/${inside}` : inside
        return { name: `${module}/${name}`, data: await readFile(full), isDeflated: true }
      }),
  )
}

/** Signs as the developer does before he uploads. */
async function signJar(input: string, output: string, key: SigningKey): Promise<void> {
  const store = ['-keystore', key.path, '-storetype', 'PKCS12', '-storepass', key.password]
  await run('jarsigner', [
    ...store,
    '-digestalg',
    'SHA-256',
    '-sigalg',
    'SHA256withRSA',
    '-signedjar',
    output,
    input,
    key.alias,
  ])
}
