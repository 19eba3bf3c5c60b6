import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Person } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { apps } from '../apps/contract.ts'
import type { PackageType } from '../apps/rules.ts'
import { certsContract } from './certs/contract.ts'
import { certTypes } from './rules.ts'

/** What openssl said, and whether it was content. */
export interface Said {
  isGood: boolean
  text: string
}

/** The program itself, in a folder of its own: the files are written there by the names that the arguments use. */
export function openssl(args: readonly string[], files: Readonly<Record<string, string | Buffer>> = {}): Said {
  const cwd = mkdtempSync(path.join(os.tmpdir(), 'harmony-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(cwd, name), content)
    const text = execFileSync('openssl', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    return { isGood: true, text }
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return { isGood: false, text: `${stdout}${stderr}` }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

const keyArguments = {
  'P-256': ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-521': ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  'RSA 1024': ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  'RSA 3072': ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:3072'],
  'RSA 8192': ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:8192'],
  Ed25519: ['genpkey', '-algorithm', 'ED25519'],
} as const

export const newKey = (kind: keyof typeof keyArguments = 'P-256') => openssl(keyArguments[kind]).text

/** A request that openssl makes; `subject` says whom it would be of. */
export function newRequest(key = newKey(), subject = '/CN=Somebody', more: readonly string[] = []): string {
  return openssl(['req', '-new', '-key', 'own.key', '-subj', subject, ...more], { 'own.key': key }).text
}

let made = 0

export async function newCert(who: Person, certType: number = certTypes.debug, key = newKey()) {
  const body = { certName: `Cert ${++made}`, certType, csr: newRequest(key) }
  return who.ok(certsContract, 'createCert', { body })
}

/** An app for HarmonyOS with its bundle name. */
export async function newHarmonyApp(who: Person, packageType: PackageType = 'HARMONY') {
  const { projectId } = await who.ok(projects, 'createProject', { body: { name: `Harmony ${++made}` } })
  const packageName = `com.example.harmony${who.teamId.slice(-6)}n${++made}`
  const named = packageType === 'ANDROID' ? {} : { packageName }
  const body = { projectId, name: `Lantern ${made}`, packageType, defaultLang: 'enUS' as const, deviceTypes: [4] }
  const { appId } = await who.ok(apps, 'createApp', { body: { ...body, ...named } })
  return { appId, projectId, packageName }
}

/** A UDID of its own for each word. */
export const udidOf = (word: string) => createHash('sha256').update(word).digest('hex').toUpperCase()
