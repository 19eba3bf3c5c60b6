import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import forge from 'node-forge'
import { describe, expect, it } from 'vitest'
import { suiteWhen } from '../apk/android-suite.testkit.ts'
import { temporaryFolder } from '../apk/temporary-folder.testkit.ts'
import { judgeChain } from '../trust/path.ts'
import { type Holder, makeHolder } from './authority.testkit.ts'
import { makePe } from './pe.testkit.ts'
import { readPackage } from './read-package.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
let written = 0

async function read(bytes: Buffer) {
  const report = await readPackage('EXE', await folder.write(`${++written}.exe`, bytes), {
    fileName: 'a.exe',
    targetSdkFloor: 30,
  })
  return { ...report, codes: report.facts.findings.map(one => one.code) }
}

describe('a Windows program', () => {
  it('is read by its headers and version resource', async () => {
    const { facts, codes } = await read(makePe())
    expect(codes).toEqual([1129])
    expect(facts).toMatchObject({
      versionCode: String((1n << 48n) | (2n << 32n) | (3n << 16n) | 4n),
      versionName: '1.2.3',
      label: 'Demo',
      abis: ['x64'],
      details: {
        program: { machine: 'x64', bits: 64, subsystem: 'console', company: 'Example', linkedAt: 1_700_000_000_000 },
      },
    })
  })

  it.each<[string, Buffer, number[]]>([
    ['a library', makePe({ isLibrary: true }), [1128]],
    ['a text', Buffer.from('hello'), [1128]],
    ['nothing', Buffer.alloc(0), [1128]],
    ['a DOS program', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]), [1128]],
    ['a program of no machine', makePe({ machine: 1 }), [1128]],
    ['a program without a version', makePe({ version: null }), [1106, 1129]],
    ['a program of version 0', makePe({ version: [0, 0, 0, 0] }), [1106, 1129]],
  ])('%s is told so', async (_says, bytes, wanted) => {
    expect((await read(bytes)).codes).toEqual(wanted)
  })
})

suiteWhen(
  existsSync('/usr/bin/osslsigncode'),
  'apt-get install osslsigncode',
  'a program that osslsigncode signed',
  () => {
    async function signed(signer: Holder): Promise<Buffer> {
      const name = `${++written}`
      const files = {
        key: `${name}.key`,
        certificate: `${name}.pem`,
        input: `${name}.in.exe`,
        output: `${name}.out.exe`,
      }
      await writeFile(folder.path(files.key), forge.pki.privateKeyToPem(signer.privateKey))
      await writeFile(folder.path(files.certificate), signer.chain.map(one => forge.pki.certificateToPem(one)).join(''))
      await writeFile(folder.path(files.input), makePe())
      await run('osslsigncode', [
        ...['sign', '-certs', folder.path(files.certificate), '-key', folder.path(files.key), '-h', 'sha256'],
        ...['-in', folder.path(files.input), '-out', folder.path(files.output)],
      ])
      return readFile(folder.path(files.output))
    }

    it('verifies, with the chain inside', async () => {
      const root = makeHolder({ commonName: 'Test Root' })
      const { facts, codes, validity, chains } = await read(
        await signed(makeHolder({ commonName: 'Example Ltd', issuer: root })),
      )
      expect(codes).toEqual([])
      expect(facts.signatureSchemes).toEqual(['Authenticode'])
      expect(facts.certificates.map(one => one.subject)).toEqual(['CN=Example Ltd', 'CN=Test Root'])
      expect(validity).toMatchObject([{ code: 1005 }])
      const judged = (roots: Holder[]) =>
        judgeChain(
          chains[0] ?? [],
          roots.map(one => new X509Certificate(one.pem)),
          Date.parse('2026-01-01'),
        ).verdict
      expect([judged([root]), judged([makeHolder({ commonName: 'Test Root' })])]).toEqual(['TRUSTED', 'UNKNOWN_ROOT'])
    })

    it('does not verify when a byte was changed, wherever it is', async () => {
      const good = await signed(makeHolder({ commonName: 'Alone' }))
      for (const place of [0x48, 700, good.length - 1200]) {
        const bad = Buffer.from(good)
        bad[place] = (bad[place] ?? 0) ^ 1
        expect((await read(bad)).codes).toContain(1102)
      }
      // The checksum is the one field that a signature leaves out.
      const checksum = Buffer.from(good)
      checksum.writeUInt32LE(1, 0x58 + 64)
      expect((await read(checksum)).codes).not.toContain(1102)
    })
  },
)
