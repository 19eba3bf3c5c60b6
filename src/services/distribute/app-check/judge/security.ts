import type { Subject } from '../subject.ts'
import { type Finder, notRead } from './finder.ts'

const codes = (subject: Subject, wanted: readonly number[]) =>
  subject.pkg.findings.filter(finding => wanted.includes(finding.code)).map(finding => finding.detail)

const shortestRsaBits = 2048
const shortestEcBits = 256
/** Google Play's own line: a certificate must live past 22 October 2033. */
const certificateMustLiveTo = Date.UTC(2033, 9, 22)

export const signature: Finder = subject => {
  const broken = codes(subject, [1101, 1102, 1105])
  return broken.length > 0 ? { result: 'BLOCK', evidence: broken } : { evidence: subject.pkg.signers }
}

export const signatureScheme: Finder = ({ pkg: { signatureSchemes, kind } }) => {
  if (kind !== 'APK' || signatureSchemes.length === 0) return { result: 'NOT_RUN', evidence: [kind] }
  const isOld = signatureSchemes.every(scheme => scheme === 'v1')
  return { ...(isOld && { result: 'WARN' }), evidence: signatureSchemes }
}

export const signingKey: Finder = ({ pkg: { certificates } }) => {
  const evidence = certificates.flatMap(({ keyAlgorithm, keyBits, notAfter }) => {
    const shortest = /^ec/i.test(keyAlgorithm) ? shortestEcBits : shortestRsaBits
    return [
      ...(keyBits !== null && keyBits < shortest ? [`${keyAlgorithm} ${keyBits}`] : []),
      ...(notAfter < certificateMustLiveTo ? [new Date(notAfter).toISOString().slice(0, 10)] : []),
    ]
  })
  return evidence.length > 0 ? { result: 'WARN', evidence } : { evidence: [] }
}

export const archive: Finder = subject => {
  const broken = codes(subject, [991, 994, 996, 1113])
  return broken.length > 0 ? { result: 'BLOCK', evidence: broken } : { evidence: [] }
}

export const debuggable: Finder = ({ pkg }) => ({ ...(pkg.debuggable && { result: 'BLOCK' }), evidence: [] })

/** What everybody may start and reach into: a provider is worse, for it hands out data. */
export const exported: Finder = ({ inside }) => {
  if (!inside) return notRead
  const open = inside.components.filter(one => one.isExported && one.permission === null && !one.isLauncher)
  if (open.length === 0) return { evidence: [] }
  const isProvider = open.some(one => one.kind === 'provider')
  return { result: isProvider ? 'BLOCK' : 'WARN', evidence: open.map(one => `${one.kind} ${one.name}`) }
}

/** Below API level 28 the system permits it where nobody says otherwise. */
export const cleartext: Finder = ({ inside, pkg: { targetSdk } }) => {
  if (!inside?.application) return notRead
  const { configPermitsCleartext, usesCleartextTraffic, cleartextHosts } = inside.application
  const permits = configPermitsCleartext ?? usesCleartextTraffic ?? (targetSdk ?? 1) < 28
  if (permits) return { result: 'WARN', evidence: ['*', ...cleartextHosts] }
  return cleartextHosts.length > 0 ? { result: 'WARN', evidence: cleartextHosts } : { evidence: [] }
}

export const backup: Finder = ({ inside }) => {
  if (!inside?.application) return notRead
  const { allowBackup } = inside.application
  return allowBackup === null
    ? { result: 'INFO', evidence: ['android:allowBackup'] }
    : { evidence: [String(allowBackup)] }
}

/** A Google API key is meant to be in an app, bound to its signer; the others are nobody's but yours. */
export const secrets: Finder = ({ inside }) => {
  if (!inside) return notRead
  const found = inside.secrets
  if (found.length === 0) return { evidence: [] }
  const isPublic = found.every(one => one.kind === 'google-api-key')
  return {
    result: isPublic ? 'INFO' : 'BLOCK',
    evidence: found.map(({ kind, file, sample }) => `${kind}: ${file}: ${sample}`),
  }
}

export const hardening: Finder = ({ inside }) => {
  if (!inside) return notRead
  const evidence = inside.libraries.flatMap(({ path, hasRelro, hasExecutableStack }) => [
    ...(hasRelro ? [] : [`${path}: RELRO`]),
    ...(hasExecutableStack ? [`${path}: execstack`] : []),
  ])
  return evidence.length > 0 ? { result: 'WARN', evidence } : { evidence: [] }
}
