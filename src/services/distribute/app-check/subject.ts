import type { Inside, PackageRow } from '../packages/public.ts'
import type { CheckedPackage } from './tables.ts'

export type { CheckedPackage } from './tables.ts'

export function checkedPackage(pkg: PackageRow): CheckedPackage {
  const { pkgId, kind, fileName, sizeBytes, sha256, packageName, versionCode, versionName, label, minSdk } = pkg
  const { targetSdk, abis, permissions, signers, certificates, signatureSchemes, debuggable, folders } = pkg
  const { languages, sdks } = pkg
  return {
    ...{ pkgId, kind, fileName, sizeBytes, sha256, packageName, versionCode, versionName, label, minSdk },
    ...{ targetSdk, abis, signers, signatureSchemes, debuggable, languages, sdks },
    permissions: permissions.map(({ name, maxSdk }) => (maxSdk === undefined ? { name } : { name, maxSdk })),
    certificates: certificates.map(({ keyAlgorithm, keyBits, notAfter }) => ({ keyAlgorithm, keyBits, notAfter })),
    folders: folders.map(({ folder, compressedBytes }) => ({ folder, compressedBytes })),
    isMade: pkg.installable !== null,
    findings: pkg.findings.map(({ code, detail }) => ({ code, detail })),
  }
}

/** What answered where the privacy policy should be. */
export type PrivacyAnswer =
  | { state: 'none' }
  | { state: 'answered'; status: number; letters: number }
  | { state: 'failed'; reason: string }

export interface Subject {
  pkg: CheckedPackage
  /** Null where the bytes are of another kind, or cannot be read. */
  inside: Inside | null
  privacy: PrivacyAnswer
  now: number
}
