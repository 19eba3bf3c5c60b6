import { finding } from '../apk/findings.ts'
import { type PackageReport, reportOf } from '../facts.ts'
import { sizeOf } from './archive.ts'

const NAME = /^(main|patch)\.([1-9][0-9]{0,17})\.([A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+)\.obb$/
const LIMIT_BYTES = 2 * 1024 ** 3

/** An expansion file is whatever its app wants; only its name says what it belongs to. */
export async function readObb(path: string, fileName: string): Promise<PackageReport> {
  const [, slot, versionCode, packageName] = NAME.exec(fileName) ?? []
  if (slot === undefined || versionCode === undefined || packageName === undefined) {
    return reportOf({ findings: [finding(1123, { fileName })] })
  }
  const sizeBytes = await sizeOf(path)
  const findings = sizeBytes === 0 ? [finding(991, { reason: 'the file has no bytes', anomaly: 'empty' })] : []
  if (sizeBytes > LIMIT_BYTES)
    findings.push(finding(991, { reason: 'an expansion file has at most 2 GiB', anomaly: 'expanded-size' }))
  const expansion = { slot: slot as 'main' | 'patch', versionCode, packageName }
  return reportOf({ details: { expansion }, findings })
}
