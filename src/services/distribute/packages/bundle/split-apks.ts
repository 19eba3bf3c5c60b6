import { join } from 'node:path'
import { runProgram } from '../../../../server/programs.ts'
import { openArchive } from '../apk/zip.ts'
import type { SplitPart } from '../tables.ts'
import { placeInApk, relay } from './bundle-apks.ts'
import { libraryManifest, requiringSplits } from './split-manifest.ts'
import { librarySplitOf, type PlannedSplit, planOf, resourceKindsOf } from './split-plan.ts'

const RESOURCES = 'base/resources.pb'
const RESOURCES_LIMIT_BYTES = 64 << 20

/** A package of a set without a signature. */
export interface UnsignedPart extends Pick<SplitPart, 'split' | 'abi' | 'density' | 'language'> {
  path: string
}

interface Making {
  packageName: string
  /** Decimal. */
  versionCode: string
  abis: readonly string[]
  signal: AbortSignal
}

/**
 * Makes the set that a device installs together of a bundle's base module, the base first: native libraries by processor,
 * pictures by density of the screen, texts by language. Empty where the bundle has nothing to choose from. Throws
 * ProgramFailure when a program refuses the bundle.
 */
export async function makeParts(bundlePath: string, folder: string, making: Making): Promise<UnsignedPart[]> {
  const { signal, abis } = making
  const archive = await openArchive(bundlePath)
  try {
    const resources = archive.byName.get(RESOURCES)
    const kinds = resources && resourceKindsOf(await archive.readEntry(resources, RESOURCES_LIMIT_BYTES))
    const plan = kinds ? planOf(kinds) : []
    const libraries = abis.length > 1 ? abis : []
    if (plan.length + libraries.length === 0) return []
    const at = (name: string) => join(folder, `set-${name}.apk`)
    const isRequired = libraries.length > 0 || plan.some(one => one.density !== null)
    await relay(archive, at('proto'), {
      place: name => (libraries.length > 0 && name.startsWith('base/lib/') ? null : placeInApk(name)),
      ...(isRequired && { changed: { 'AndroidManifest.xml': requiringSplits } }),
    })
    await toBinary(at('proto'), at('binary'), making, folder)
    const planned = plan.map((one, index) => ({ ...one, path: at(`part-${index}`) }))
    const splits = planned.flatMap(one => ['--split', `${one.path}:${one.configs.join(',')}`])
    await runProgram('aapt2', ['optimize', '-o', at('base'), ...splits, at('binary')], { folder, signal })
    const parts: UnsignedPart[] = [{ ...everyone, path: at('base') }, ...planned.map(asPart)]
    for (const abi of libraries) {
      const [raw, path] = [at(`raw-${abi}`), at(`lib-${abi}`)]
      await relay(archive, raw, {
        place: name => (name.startsWith(`base/lib/${abi}/`) ? placeInApk(name) : null),
        added: {
          'AndroidManifest.xml': libraryManifest(making.packageName, making.versionCode, librarySplitOf(abi)),
          'resources.pb': Buffer.alloc(0),
        },
      })
      await toBinary(raw, `${path}.binary`, making, folder)
      await withoutResources(`${path}.binary`, path)
      parts.push({ ...everyone, split: librarySplitOf(abi), abi, path })
    }
    const ready: UnsignedPart[] = []
    for (const part of parts) ready.push(await aligned(part, folder, signal))
    return ready
  } finally {
    await archive.close()
  }
}

const everyone = { split: null, abi: null, density: null, language: null }
const asPart = ({ split, density, language, path }: PlannedSplit & { path: string }): UnsignedPart => ({
  ...{ split, abi: null, density, language, path },
})

async function toBinary(from: string, to: string, { signal }: Making, folder: string): Promise<void> {
  await runProgram('aapt2', ['convert', '--output-format', 'binary', '-o', to, from], { folder, signal })
}

/** A split of libraries has no resources, not even a table without any. */
async function withoutResources(from: string, to: string): Promise<void> {
  const archive = await openArchive(from)
  try {
    await relay(archive, to, { place: name => (name === 'resources.arsc' ? null : name) })
  } finally {
    await archive.close()
  }
}

async function aligned(part: UnsignedPart, folder: string, signal: AbortSignal): Promise<UnsignedPart> {
  const path = `${part.path}.aligned`
  await runProgram('zipalign', ['-f', '-p', '4', part.path, path], { folder, signal })
  return { ...part, path }
}
