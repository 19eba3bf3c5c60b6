import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { missingPrograms, runProgram } from '../../../../server/programs.ts'
import { openArchive, type ZipArchive } from '../apk/zip.ts'

/** Old enough not to change from run to run: the same bundle and key give the same APK. */
const NO_TIME = new Date(1980, 0, 1)
const CHANGED_LIMIT_BYTES = 8 << 20

/** Programs that APKs are made of bundles with, and the line that installs them; null when all are there. */
export function missingForBundles(path?: string): Promise<{ missing: string; install: string } | null> {
  return missingPrograms({ aapt2: 'aapt', zipalign: 'zipalign', apksigner: 'apksigner' }, path)
}

/** An APK without a signature; `abi` is null for the one that every device can install. */
export interface UnsignedApk {
  abi: string | null
  path: string
}

/**
 * Makes APKs of a bundle's base module: one that every device can install, and where it has native libraries of several
 * processors one for each. Re-laid as packages of protocol buffers, converted to binary resources, aligned. Throws
 * ProgramFailure when a program refuses the bundle.
 */
export async function makeApks(
  bundlePath: string,
  folder: string,
  options: { abis: readonly string[]; signal: AbortSignal },
): Promise<UnsignedApk[]> {
  const { abis, signal } = options
  const archive = await openArchive(bundlePath)
  try {
    const apks: UnsignedApk[] = []
    for (const abi of [null, ...(abis.length > 1 ? abis : [])]) {
      const at = (name: string) => join(folder, `${name}-${abi ?? 'universal'}.apk`)
      await relay(archive, at('proto'), { place: name => placeInApk(name, abi) })
      await runProgram('aapt2', ['convert', '--output-format', 'binary', '-o', at('binary'), at('proto')], {
        folder,
        signal,
      })
      await runProgram('zipalign', ['-f', '-p', '4', at('binary'), at('aligned')], { folder, signal })
      apks.push({ abi, path: at('aligned') })
    }
    return apks
  } finally {
    await archive.close()
  }
}

/** Where a file of the base module goes in an APK; null for what stays behind, as do libraries of another `abi`. */
export function placeInApk(name: string, abi: string | null = null): string | null {
  const inside = /^base\/(.+)$/.exec(name)?.[1]
  if (inside === undefined || inside.endsWith('/')) return null
  if (abi !== null && inside.startsWith('lib/') && !inside.startsWith(`lib/${abi}/`)) return null
  if (inside === 'resources.pb' || /^(res|assets|lib)\//.test(inside)) return inside
  if (inside === 'manifest/AndroidManifest.xml') return 'AndroidManifest.xml'
  return /^(?:dex|root)\/(.+)$/.exec(inside)?.[1] ?? null
}

/** Writes what has a place in the new archive; `changed` and `added` are by their names there. */
export async function relay(
  archive: ZipArchive,
  target: string,
  options: {
    place(name: string): string | null
    changed?: Readonly<Record<string, (bytes: Buffer) => Buffer>>
    added?: Readonly<Record<string, Buffer>>
  },
): Promise<void> {
  const { place, changed = {}, added = {} } = options
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(target))
  const file = { mtime: NO_TIME, mode: 0o100644 }
  for (const [name, bytes] of Object.entries(added)) zip.addBuffer(bytes, name, file)
  for (const entry of archive.entries) {
    const name = place(entry.name)
    if (name === null) continue
    const change = changed[name]
    if (change) {
      zip.addBuffer(change(await archive.readEntry(entry, CHANGED_LIMIT_BYTES)), name, file)
      continue
    }
    // Native libraries are mapped from where they lie, so they are not packed.
    const compress = !name.startsWith('lib/') && !/\.(png|webp|jpe?g|mp3|mp4|ogg|arsc)$/i.test(name)
    zip.addReadStreamLazy(name, { ...file, compress }, callback => {
      callback(null, Readable.from(archive.streamEntry(entry)))
    })
  }
  zip.end()
  await written
}
