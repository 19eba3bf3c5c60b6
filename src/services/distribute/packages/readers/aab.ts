import type { XmlElement } from '../apk/binary-xml.ts'
import { type Finding, finding } from '../apk/findings.ts'
import { abiFindings, manifestFindings, signatureFindings } from '../apk/inspect-findings.ts'
import { knownSdks } from '../apk/known-sdks.ts'
import { type Manifest, manifestOf } from '../apk/manifest.ts'
import { plainText } from '../apk/manifest-values.ts'
import { ResourceFormatError } from '../apk/resource-chunk.ts'
import { certificateFacts } from '../apk/signature/certificate.ts'
import { verifyJar } from '../apk/signature/jar.ts'
import { sizeBreakdown } from '../apk/size-breakdown.ts'
import type { ZipArchive } from '../apk/zip.ts'
import { ZipRefusal } from '../apk/zip-anomaly.ts'
import type { PackageReport } from '../facts.ts'
import type { PackageModule } from '../tables.ts'
import { decodeMessage, MessageFormatError } from './aab-messages.ts'
import { type BundleResources, elementOf, resourcesOf } from './aab-resources.ts'
import { readArchive } from './archive.ts'
import { signedBy } from './signers.ts'

const CONFIG = 'BundleConfig.pb'
const MANIFEST_LIMIT_BYTES = 8 << 20
const RESOURCES_LIMIT_BYTES = 64 << 20
const MODULE_LIMIT = 200
/** Devices below it check nothing here: only the store looks at the signature of a bundle. */
const SIGNATURE_SDK = 24
const manifestFile = (module: string) => `${module}/manifest/AndroidManifest.xml`

/** Reads an Android App Bundle: its base module's manifest and resources, its modules, and the upload key's signature. */
export function readAab(path: string, { targetSdkFloor }: { targetSdkFloor: number }): Promise<PackageReport> {
  return readArchive(path, async (archive, findings) => {
    const missing = [CONFIG, manifestFile('base')].filter(file => !archive.byName.has(file))
    if (missing.length > 0) {
      findings.push(...missing.map(file => finding(994, { file })))
      return null
    }
    const madeBy = await attempt(findings, CONFIG, 996, async () => {
      const config = decodeMessage('BundleConfig', await read(archive, CONFIG, MANIFEST_LIMIT_BYTES))
      return config.bundletool?.version ?? ''
    })
    const resources = await readResources(archive, findings)
    const manifest = await readManifest(archive, 'base', resources, findings)
    const modules = await readModules(archive, findings)
    const libraries = bundleLibraries(archive)
    const abis = [...new Set(libraries.filter(one => one.path.startsWith('base/')).map(one => one.abi))]
    if (manifest) findings.push(...manifestFindings(manifest, targetSdkFloor).filter(one => one.code !== 1114))
    findings.push(...abiFindings(abis), ...moduleFindings(modules))
    const signing = await readSignature(archive, findings)
    const breakdown = sizeBreakdown(archive, libraries)
    return {
      found: {
        ...(manifest && factsOf(manifest)),
        languages: resources?.languages ?? [],
        abis,
        modules,
        sdks: await knownSdks(archive, manifest?.components ?? []),
        ...signing,
        uploadSigners: signing.signers,
        dexCount: archive.entries.filter(({ name }) => /^base\/dex\/classes\d*\.dex$/.test(name)).length,
        folders: breakdown.folders,
        nativeLibraries: breakdown.nativeLibraries,
        details: { bundle: { madeBy: madeBy ?? '' } },
        findings,
      },
      rest: { iconPath: manifest && iconOf(archive, resources, manifest.iconReference) },
    }
  })
}

function factsOf(manifest: Manifest) {
  return {
    packageName: manifest.package,
    versionCode: manifest.versionCode,
    versionName: manifest.versionName,
    label: manifest.label,
    labels: manifest.labels,
    minSdk: manifest.minSdk,
    targetSdk: manifest.targetSdk,
    compileSdk: manifest.compileSdk,
    permissions: manifest.permissions,
    features: manifest.features,
    components: manifest.components,
    debuggable: manifest.isDebuggable,
  }
}

function read(archive: ZipArchive, file: string, limitBytes: number): Promise<Buffer> {
  const entry = archive.byName.get(file)
  return entry ? archive.readEntry(entry, limitBytes) : Promise.reject(new MessageFormatError('it is missing'))
}

async function readResources(archive: ZipArchive, findings: Finding[]): Promise<BundleResources | null> {
  const file = 'base/resources.pb'
  if (!archive.byName.has(file)) return null
  return attempt(findings, file, 1116, async () => resourcesOf(await read(archive, file, RESOURCES_LIMIT_BYTES)))
}

async function readElement(archive: ZipArchive, module: string, findings: Finding[]): Promise<XmlElement | null> {
  const file = manifestFile(module)
  return attempt(findings, file, 996, async () =>
    elementOf(decodeMessage('XmlNode', await read(archive, file, MANIFEST_LIMIT_BYTES))),
  )
}

async function readManifest(
  archive: ZipArchive,
  module: string,
  resources: BundleResources | null,
  findings: Finding[],
): Promise<Manifest | null> {
  const element = await readElement(archive, module, findings)
  return element && attempt(findings, manifestFile(module), 996, async () => manifestOf(element, resources))
}

/** Every top folder with a manifest is a module; what kind, its `dist:module` element tells. */
async function readModules(archive: ZipArchive, findings: Finding[]): Promise<PackageModule[]> {
  const names = archive.entries.flatMap(({ name }) => /^([^/]+)\/manifest\/AndroidManifest\.xml$/.exec(name)?.[1] ?? [])
  const modules: PackageModule[] = []
  for (const name of [...new Set(names)].slice(0, MODULE_LIMIT)) {
    const sizeBytes = archive.entries.reduce(
      (sum, entry) => sum + (entry.name.startsWith(`${name}/`) ? entry.compressedBytes : 0),
      0,
    )
    const element = await readElement(archive, name, findings)
    const dist = element?.children.find(child => child.name === 'module')
    const type = name === 'base' ? 'base' : ((dist && plainText(dist, 'type')) ?? 'feature')
    modules.push({ name, type, sizeBytes, delivery: deliveryOf(dist) })
  }
  return modules
}

function deliveryOf(dist: XmlElement | undefined): string {
  const delivery = dist?.children.find(child => child.name === 'delivery')
  const ways = delivery?.children.map(child => child.name) ?? []
  const installTime = delivery?.children.find(child => child.name === 'install-time')
  if (installTime?.children.some(child => child.name === 'conditions')) return 'conditional'
  if (ways.includes('install-time')) return 'install-time'
  if (ways.includes('fast-follow')) return 'fast-follow'
  if (ways.includes('on-demand') || (dist && plainText(dist, 'onDemand') === 'true')) return 'on-demand'
  return 'install-time'
}

function moduleFindings(modules: readonly PackageModule[]): Finding[] {
  const named = (type: string) =>
    modules
      .filter(one => one.type === type)
      .map(one => one.name)
      .join(', ')
  const packs = named('asset-pack')
  const features = named('feature')
  return [
    ...(packs === '' ? [] : [finding(80210101, { modules: packs })]),
    ...(features === '' ? [] : [finding(1118, { modules: features })]),
  ]
}

const LIBRARY = /^[^/]+\/lib\/([^/]+)\/[^/]+\.so$/

function bundleLibraries(archive: ZipArchive) {
  return archive.entries.flatMap(entry => {
    const abi = LIBRARY.exec(entry.name)?.[1]
    return abi === undefined ? [] : [{ path: entry.name, abi, sizeBytes: entry.expandedBytes }]
  })
}

async function readSignature(archive: ZipArchive, findings: Finding[]) {
  const jar = await verifyJar(archive, { minSdk: SIGNATURE_SDK, foundSchemes: new Set() })
  const signers = jar.certificates.map(one => ({
    ...certificateFacts(one),
    scheme: 'v1' as const,
    minSdk: 1,
    maxSdk: null,
    lineage: [],
  }))
  findings.push(...signatureFindings({ verified: jar.errors.length === 0, signers, errors: jar.errors }))
  return signedBy('JAR', jar.errors.length === 0 ? jar.certificates : [])
}

/** The largest bitmap the icon stands for. */
function iconOf(
  archive: ZipArchive,
  resources: BundleResources | null,
  reference: number | string | null,
): string | null {
  const variants = typeof reference === 'number' ? (resources?.variants(reference) ?? []) : []
  const bitmaps = variants
    .toSorted((a, b) => b.config.density - a.config.density)
    .map(one => `base/${one.text}`)
    .filter(path => /\.(png|webp)$/.test(path) && archive.byName.has(path))
  return bitmaps[0] ?? null
}

/** Null and a finding when the content is malformed; anything else that fails is thrown. */
async function attempt<T>(
  findings: Finding[],
  file: string,
  code: 996 | 1116,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    const isKnown =
      error instanceof MessageFormatError ||
      error instanceof ResourceFormatError ||
      error instanceof ZipRefusal ||
      error instanceof RangeError
    if (!isKnown) throw error
    if (!findings.some(one => one.code === code && one.params['file'] === file)) {
      findings.push(finding(code, { file, reason: error.message }))
    }
    return null
  }
}
