import { type Finding, finding } from '../apk/findings.ts'
import { sizeBreakdown } from '../apk/size-breakdown.ts'
import type { ZipArchive } from '../apk/zip.ts'
import type { PackageReport } from '../facts.ts'
import { readArchive } from './archive.ts'
import { readJson, textAt, versionCodeAt } from './json.ts'

const MANIFESTS = ['manifest.json', 'manifest.webmanifest']
const INDEX = 'index.html'
const MAX_FILES = 20_000
const MAX_BYTES = 1024 ** 3
const SNIFF_BYTES = 8
/** Files that a browser never runs and a computer does. */
const PROGRAM =
  /\.(exe|dll|com|msi|scr|bat|cmd|ps1|vbs|jar|class|so|dylib|apk|hap|app|elf|sh|php[0-9]?|phtml|jsp|asp|aspx|cgi|pl|py|rb)$/i
/** The first bytes of Windows, Linux, macOS and Java programs; `#!` begins a script of a shell. */
const PROGRAM_HEADS = ['4d5a', '7f454c46', 'cafebabe', 'feedface', 'feedfacf', 'cffaedfe', 'cefaedfe', '2321']
/** Hidden files tell more than their author wants. */
const HIDDEN = /(^|\/)\.(?!well-known\/)[^/]+/

/** Reads a web package: a site with its index in the root, of pages and what pages use, and nothing that runs elsewhere. */
export function readWeb(path: string): Promise<PackageReport> {
  return readArchive(path, async (archive, findings) => {
    if (!archive.byName.has(INDEX)) findings.push(finding(994, { file: INDEX }))
    const files = archive.entries.filter(entry => !entry.name.endsWith('/'))
    const expandedBytes = files.reduce((sum, entry) => sum + entry.expandedBytes, 0)
    if (files.length > MAX_FILES || expandedBytes > MAX_BYTES) {
      findings.push(
        finding(1122, { files: files.length, bytes: expandedBytes, maxFiles: MAX_FILES, maxBytes: MAX_BYTES }),
      )
    } else if (!findings.some(one => one.code === 1113)) {
      findings.push(...(await programFindings(archive)))
    }
    const manifest = MANIFESTS.find(name => archive.byName.has(name)) ?? null
    const json = manifest === null ? null : await readJson(archive, manifest, findings)
    const versionName = json && textAt(json, 'version')
    const startUrl = (json && textAt(json, 'start_url')) ?? `./${INDEX}`
    if (manifest !== null && json && !isInside(startUrl)) {
      const expected = 'a path inside the package'
      findings.push(finding(1130, { file: manifest, field: 'start_url', found: startUrl, expected }))
    }
    return {
      found: {
        versionCode: (json && versionCodeAt(json, 'versionCode')) ?? codeOf(versionName),
        versionName: versionName ?? (json && textAt(json, 'versionName')),
        label: (json && (textAt(json, 'name') ?? textAt(json, 'short_name'))) ?? null,
        folders: sizeBreakdown(archive, []).folders,
        details: { site: { index: INDEX, startUrl, files: files.length, expandedBytes, manifest } },
        findings,
      },
    }
  })
}

async function programFindings(archive: ZipArchive): Promise<Finding[]> {
  for (const entry of archive.entries) {
    if (entry.name.endsWith('/') || entry.expandedBytes === 0) continue
    const isHidden = HIDDEN.test(entry.name)
    const isProgram = PROGRAM.test(entry.name) || (await startsLikeProgram(archive, entry))
    if (isHidden || isProgram) return [finding(1121, { entry: entry.name })]
  }
  return []
}

async function startsLikeProgram(archive: ZipArchive, entry: ZipArchive['entries'][number]): Promise<boolean> {
  const head = (await archive.readEntryHead(entry, SNIFF_BYTES)).toString('hex')
  return PROGRAM_HEADS.some(one => head.startsWith(one))
}

const isInside = (url: string) => !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(url) && !url.split(/[/?#]/).includes('..')

/** `1.2.3` orders as 1002003: three parts below a thousand, which is what people use. */
function codeOf(version: string | null): string | null {
  const parts = /^(\d{1,9})(?:\.(\d{1,3}))?(?:\.(\d{1,3}))?$/.exec(version ?? '')
  if (!parts) return null
  const code = BigInt(parts[1] ?? 0) * 1_000_000n + BigInt(parts[2] ?? 0) * 1000n + BigInt(parts[3] ?? 0)
  return code > 0n ? String(code) : null
}
