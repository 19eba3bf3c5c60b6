import { type Finding, finding } from '../apk/findings.ts'
import { sizeBreakdown } from '../apk/size-breakdown.ts'
import type { ZipArchive } from '../apk/zip.ts'
import type { PackageReport } from '../facts.ts'
import { readArchive } from './archive.ts'
import { type JsonObject, numberAt, objectAt, objectsAt, readJson, textAt, versionCodeAt } from './json.ts'
import { verifyRpk } from './rpk-signature.ts'
import { signedBy } from './signers.ts'

const MANIFEST = 'manifest.json'
const NAME = /^[A-Za-z][A-Za-z0-9_.]*$/

/** Reads a quick app. One that the server made around an address is signed by nobody, and need not be. */
export function readRpk(path: string): Promise<PackageReport> {
  return readArchive(path, async (archive, findings) => {
    const json = await readJson(archive, MANIFEST, findings)
    if (!json) return null
    const packageName = textAt(json, 'package')
    const versionCode = versionCodeAt(json, 'versionCode')
    if (packageName === null || !NAME.test(packageName)) {
      findings.push(
        finding(996, { file: MANIFEST, reason: 'package is missing or has letters a package name has not' }),
      )
    }
    if (versionCode === null) findings.push(finding(1106, { versionCode: 'missing' }))
    const modules = subpackagesOf(archive, json, findings)
    const address = addressOf(json)
    const signing = await readSigning(archive, address !== null, findings)
    const icon = (textAt(json, 'icon') ?? '').replace(/^\//, '')
    const isBitmap = /\.(png|webp|jpe?g)$/i.test(icon) && archive.byName.has(icon)
    const router = objectAt(json, 'router')
    return {
      found: {
        packageName: packageName !== null && NAME.test(packageName) ? packageName : null,
        versionCode,
        versionName: textAt(json, 'versionName'),
        label: textAt(json, 'name'),
        minSdk: numberAt(json, 'minPlatformVersion'),
        features: objectsAt(json, 'features')
          .flatMap(one => textAt(one, 'name') ?? [])
          .map(name => ({ name, isRequired: true })),
        permissions: Object.keys(objectAt(json, 'permissionDesc')).map(name => ({ name })),
        debuggable: objectAt(json, 'config')['debug'] === true,
        ...signing,
        modules,
        folders: sizeBreakdown(archive, []).folders,
        details: {
          quickApp: {
            minPlatformVersion: numberAt(json, 'minPlatformVersion'),
            entry: textAt(router, 'entry') ?? '',
            appType: textAt(json, 'appType') ?? 'fastapp',
            address,
          },
        },
        findings,
      },
      rest: { iconPath: isBitmap && /\.(png|webp)$/i.test(icon) ? icon : null },
    }
  })
}

/** Where a wrapped web page lies; only the server's own wrapper writes it. */
function addressOf(json: JsonObject): string | null {
  const address = textAt(objectAt(json, 'h5'), 'address')
  return address !== null && /^https:\/\//.test(address) ? address : null
}

function subpackagesOf(archive: ZipArchive, json: JsonObject, findings: Finding[]) {
  return objectsAt(json, 'subpackages').flatMap(one => {
    const name = textAt(one, 'name')
    const resource = (textAt(one, 'resource') ?? '').replace(/^\//, '').replace(/\/$/, '')
    if (name === null || resource === '') return []
    const isInside = (file: string) =>
      file === resource || file.startsWith(`${resource}/`) || file === `${resource}.rpk`
    const entries = archive.entries.filter(entry => isInside(entry.name))
    if (entries.length === 0) findings.push(finding(994, { file: resource }))
    const sizeBytes = entries.reduce((sum, entry) => sum + entry.compressedBytes, 0)
    return [{ name, type: 'subpackage', sizeBytes, delivery: one['standalone'] === true ? 'standalone' : 'on-demand' }]
  })
}

async function readSigning(archive: ZipArchive, isWrapped: boolean, findings: Finding[]) {
  const { signers, problem } = await verifyRpk(archive)
  const isUnsigned = problem?.reason === 'no-signature'
  if (isUnsigned && !isWrapped) findings.push(finding(1101))
  if (problem && !isUnsigned)
    findings.push(finding(1102, { scheme: 'RPK', reason: problem.detail, cause: problem.reason }))
  return signedBy('RPK', signers)
}
