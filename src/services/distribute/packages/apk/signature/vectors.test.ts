import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { suiteWhen } from '../android-suite.testkit.ts'
import { inspectApk } from '../inspect.ts'
import { openArchive } from '../zip.ts'
import expected from './vectors.json' with { type: 'json' }
import { type SignatureReport, verifySignatures } from './verify.ts'

/** `declared`: for the API levels of the manifest; `sdk24`: as if the package were for API level 24 and above. */
type Vector = { declared: boolean; sdk24: boolean; signers: string[]; deviation?: string }

const FOLDER = '/usr/share/doc/androguard/examples/signing/apksig'
const vectors: Record<string, Vector> = expected.vectors

const certificates = (report: SignatureReport | null) => report?.signers.map(({ certSha256 }) => certSha256).sort()

async function verdicts(file: string): Promise<Vector> {
  const path = join(FOLDER, file)
  const { manifest, signature } = await inspectApk(path)
  if (!manifest) return { declared: false, sdk24: false, signers: [] }
  const archive = await openArchive(path)
  const { targetSdk, targetSandboxVersion } = manifest
  const modern = await verifySignatures(archive, { minSdk: 24, targetSdk, targetSandboxVersion })
  await archive.close()
  const declared = signature?.verified ?? false
  const signers = certificates(modern.verified ? modern : declared ? signature : null) ?? []
  return { declared, sdk24: modern.verified, signers }
}

suiteWhen(existsSync(FOLDER), 'needs packages to verify: apt-get install androguard', 'signature vectors', () => {
  test('every vector of the folder has an expected verdict', async () => {
    const files = (await readdir(FOLDER)).filter(name => name.endsWith('.apk'))
    expect(files.sort()).toEqual(Object.keys(vectors).sort())
  })

  test('we agree with the expected verdict and signers on all of them', { timeout: 120_000 }, async () => {
    const differences: string[] = []
    for (const [file, { deviation: _, ...wanted }] of Object.entries(vectors)) {
      const found = await verdicts(file)
      if (JSON.stringify(found) !== JSON.stringify(wanted)) differences.push(`${file}: ${JSON.stringify(found)}`)
    }
    expect(differences).toEqual([])
  })

  test('only RSASSA-PSS vectors differ from what apksigner says here', () => {
    const deviating = Object.keys(vectors).filter(file => vectors[file]?.deviation)
    expect(deviating.every(file => file.includes('rsa-pss'))).toBe(true)
    expect(deviating).toHaveLength(12)
  })
})
