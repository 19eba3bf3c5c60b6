import { finding } from '../apk/findings.ts'
import { openPositionalFile } from '../apk/positional-file.ts'
import { type PackageReport, reportOf } from '../facts.ts'
import { type Authenticode, verifyAuthenticode } from './authenticode.ts'
import { type PeFile, PeFormatError, readPe } from './pe.ts'
import { type PeVersion, readVersion } from './pe-version.ts'
import { encodedChain, signedBy } from './signers.ts'

/** Reads a Windows program: headers, version resource, Authenticode signature. Nothing of it is ever run. */
export async function readExe(path: string): Promise<PackageReport> {
  const file = await openPositionalFile(path)
  try {
    const pe = await readPe(file)
    if (pe.isLibrary) return reportOf({ findings: [finding(1128, { kind: 'a library (DLL)' })] })
    const version = await readVersion(file, pe).catch((error: unknown) => {
      if (error instanceof RangeError) return { fileVersion: null, texts: new Map<string, string>() }
      throw error
    })
    return report(pe, version, await verifyAuthenticode(file, pe))
  } catch (error) {
    if (!(error instanceof PeFormatError) && !(error instanceof RangeError)) throw error
    const kind = error instanceof PeFormatError ? error.message : 'a program whose headers lead outside of the file'
    return reportOf({ findings: [finding(1128, { kind })] })
  } finally {
    await file.close()
  }
}

function report(pe: PeFile, version: PeVersion, { signed, isTimestamped, problem }: Authenticode): PackageReport {
  const findings = []
  if (problem?.reason === 'no-signature') findings.push(finding(1129))
  else if (problem)
    findings.push(finding(1102, { scheme: 'Authenticode', reason: problem.detail, cause: problem.reason }))
  if (signed && !signed.isRooted && signed.chain.length === 1) {
    findings.push(
      finding(1130, {
        file: 'The signature',
        field: 'chain',
        found: 'only the signer',
        expected: 'who vouches for it',
      }),
    )
  }
  const text = (key: string) => version.texts.get(key) ?? ''
  const versionCode = codeOf(version.fileVersion)
  if (versionCode === null) findings.push(finding(1106, { versionCode: version.fileVersion?.join('.') ?? 'missing' }))
  const [signer, ...issuers] = signed?.chain ?? []
  // A time stamp keeps a signature good after its certificate ran out.
  const validity =
    signer && !isTimestamped
      ? [
          {
            code: 1005 as const,
            what: signer.x509.subject.split('\n').at(-1) ?? '',
            notBefore: Date.parse(signer.x509.validFrom),
            notAfter: Date.parse(signer.x509.validTo),
          },
        ]
      : []
  const found = {
    versionCode,
    versionName: text('ProductVersion') || text('FileVersion') || (version.fileVersion?.join('.') ?? null),
    label: text('ProductName') || text('FileDescription') || null,
    abis: [pe.machine],
    ...signedBy('Authenticode', signer ? [signer] : [], issuers),
    details: {
      program: {
        machine: pe.machine,
        bits: pe.bits,
        subsystem: pe.subsystem,
        product: text('ProductName'),
        company: text('CompanyName'),
        description: text('FileDescription'),
        linkedAt: pe.linkedAt,
        isTimestamped,
      },
    },
    findings: findings.sort((a, b) => a.code - b.code),
  }
  return reportOf(found, { validity, chains: signed ? [encodedChain(signed.chain)] : [] })
}

/** The four parts as one number that grows with them; null for 0 and for what 63 bits do not hold. */
function codeOf(parts: PeVersion['fileVersion']): string | null {
  if (!parts) return null
  const code = parts.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n)
  return code > 0n && code < 1n << 63n ? String(code) : null
}
