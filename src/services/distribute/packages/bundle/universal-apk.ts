import { execFile } from 'node:child_process'
import { createPrivateKey } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { access, constants, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { ZipFile } from 'yazl'
import { openArchive, type ZipArchive } from '../apk/zip.ts'
import type { AppKey } from './app-key.ts'

const run = promisify(execFile)

/** Thrown when the tools refuse the bundle; the message is what they said. */
export class BundleFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'BundleFailure'
  }
}

const programs = { aapt2: 'aapt', zipalign: 'zipalign', apksigner: 'apksigner' } as const
const STEP_MS = 10 * 60_000
const OUTPUT_BYTES = 1 << 20
/** Old enough not to change from run to run: the same bundle and key give the same APK. */
const NO_TIME = new Date(1980, 0, 1)

/** Programs that are not on this machine, and the line that installs them; null when all are there. */
export async function missingPrograms(
  path = process.env['PATH'] ?? '',
): Promise<{ missing: string; install: string } | null> {
  const folders = path.split(delimiter).filter(folder => folder !== '')
  const isThere = async (name: string) => {
    const found = await Promise.allSettled(folders.map(folder => access(join(folder, name), constants.X_OK)))
    return found.some(one => one.status === 'fulfilled')
  }
  const missing: (keyof typeof programs)[] = []
  for (const name of Object.keys(programs) as (keyof typeof programs)[]) if (!(await isThere(name))) missing.push(name)
  if (missing.length === 0) return null
  return { missing: missing.join(', '), install: `apt-get install ${missing.map(name => programs[name]).join(' ')}` }
}

/**
 * Makes the APK that every device can install out of a bundle's base module: re-laid as a package of protocol buffers,
 * converted to binary resources, aligned, signed. Throws BundleFailure when a program refuses the bundle.
 */
export async function makeUniversalApk(
  bundlePath: string,
  folder: string,
  key: AppKey,
  options: { minSdk: number; signal: AbortSignal },
): Promise<string> {
  const at = (name: string) => join(folder, name)
  const step = async (program: keyof typeof programs, args: string[]) => {
    try {
      const { signal } = options
      await run(program, args, {
        signal,
        timeout: STEP_MS,
        killSignal: 'SIGKILL',
        maxBuffer: OUTPUT_BYTES,
        cwd: folder,
      })
    } catch (error) {
      options.signal.throwIfAborted()
      throw new BundleFailure(`${program}: ${lastLine(error)}`)
    }
  }
  const archive = await openArchive(bundlePath)
  try {
    await relay(archive, at('proto.apk'))
  } finally {
    await archive.close()
  }
  await step('aapt2', ['convert', '--output-format', 'binary', '-o', at('binary.apk'), at('proto.apk')])
  await step('zipalign', ['-f', '-p', '4', at('binary.apk'), at('aligned.apk')])
  await writeFile(at('key.pk8'), createPrivateKey(key.privateKey).export({ type: 'pkcs8', format: 'der' }), {
    mode: 0o600,
  })
  await writeFile(at('certificate.pem'), key.certificate)
  const signer = ['--key', at('key.pk8'), '--cert', at('certificate.pem')]
  const range = ['--min-sdk-version', String(Math.max(1, options.minSdk)), '--v4-signing-enabled', 'false']
  await step('apksigner', ['sign', ...signer, ...range, '--out', at('universal.apk'), at('aligned.apk')])
  return at('universal.apk')
}

/** Where a file of the base module goes in an APK; null for what stays behind. */
export function placeInApk(name: string): string | null {
  const inside = /^base\/(.+)$/.exec(name)?.[1]
  if (inside === undefined || inside.endsWith('/')) return null
  if (inside === 'resources.pb' || /^(res|assets|lib)\//.test(inside)) return inside
  if (inside === 'manifest/AndroidManifest.xml') return 'AndroidManifest.xml'
  return /^(?:dex|root)\/(.+)$/.exec(inside)?.[1] ?? null
}

async function relay(archive: ZipArchive, target: string): Promise<void> {
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(target))
  for (const entry of archive.entries) {
    const name = placeInApk(entry.name)
    if (name === null) continue
    // Native libraries are mapped from where they lie, so they are not packed.
    const compress = !name.startsWith('lib/') && !/\.(png|webp|jpe?g|mp3|mp4|ogg|arsc)$/i.test(name)
    zip.addReadStreamLazy(name, { mtime: NO_TIME, mode: 0o100644, compress }, callback => {
      callback(null, Readable.from(archive.streamEntry(entry)))
    })
  }
  zip.end()
  await written
}

function lastLine(error: unknown): string {
  const { stderr = '', message = '' } = error as { stderr?: string; message?: string }
  const lines = `${stderr}`.split('\n').filter(line => /error|exception/i.test(line))
  const line = lines[0] ?? message.split('\n').at(-1) ?? 'it failed'
  return line.replace(/\/[^ ]*\//g, '').slice(0, 300)
}
