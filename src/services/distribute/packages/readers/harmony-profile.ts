import { type Finding, finding } from '../apk/findings.ts'
import { type Certificate, parseCertificate } from '../apk/signature/certificate.ts'
import type { SignedContent } from '../apk/signature/cms.ts'
import { SignatureFailure } from '../apk/signature/problem.ts'
import type { PackageReport } from '../facts.ts'
import type { HarmonyProfile } from '../tables.ts'
import { numberAt, objectAt, parseObject, textAt, textsAt } from './json.ts'

/** What a profile says, and what is wrong with it or with who signed beside it. */
export function readProfile(
  signed: SignedContent,
  signer: Certificate,
  bundleName: string | null,
): { profile: HarmonyProfile | null; findings: Finding[]; validity: PackageReport['validity'] } {
  try {
    return judge(signed, signer, bundleName)
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof SignatureFailure)) throw error
    return { profile: null, findings: [finding(993, { reason: error.message })], validity: [] }
  }
}

function judge(signed: SignedContent, signer: Certificate, bundleName: string | null) {
  const json = parseObject(signed.content.toString('utf8'))
  const info = objectAt(json, 'bundle-info')
  const validity = objectAt(json, 'validity')
  const isDebug = textAt(json, 'type') === 'debug'
  const profile: HarmonyProfile = {
    type: isDebug ? 'debug' : 'release',
    bundleName: textAt(info, 'bundle-name') ?? '',
    developerId: textAt(info, 'developer-id') ?? '',
    notBefore: (numberAt(validity, 'not-before') ?? 0) * 1000,
    notAfter: (numberAt(validity, 'not-after') ?? 0) * 1000,
    distribution: textAt(json, 'app-distribution-type') ?? '',
    acls: textsAt(objectAt(json, 'acls'), 'allowed-acls'),
    restrictedPermissions: textsAt(objectAt(json, 'permissions'), 'restricted-permissions'),
    deviceCount: textsAt(objectAt(json, 'debug-info'), 'device-ids').length,
  }
  const findings: Finding[] = []
  if (isDebug) findings.push(finding(999))
  if (!signed.isRooted) findings.push(finding(993, { reason: 'the chain of who signed it is not whole' }))
  if (bundleName !== null && profile.bundleName !== bundleName) {
    findings.push(finding(997, { found: profile.bundleName || 'no bundle', expected: bundleName }))
  }
  const pem = textAt(info, isDebug ? 'development-certificate' : 'distribution-certificate')
  if (pem === null) findings.push(finding(993, { reason: 'it names no certificate' }))
  else if (!certificateIn(pem).raw.equals(signer.raw)) findings.push(finding(1001))
  return {
    profile,
    findings,
    validity: [{ code: 1000 as const, what: 'profile', notBefore: profile.notBefore, notAfter: profile.notAfter }],
  }
}

function certificateIn(pem: string): Certificate {
  const body = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/.exec(pem)?.[1]
  if (body === undefined) throw new SignatureFailure('malformed-certificate', 'its certificate cannot be read')
  return parseCertificate(Buffer.from(body, 'base64'))
}
