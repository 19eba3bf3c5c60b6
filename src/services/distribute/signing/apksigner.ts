import { createPrivateKey, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'
import { commonErrors, refuse } from '../../../kernel/errors.ts'
import { missingPrograms, runProgram } from '../../../server/programs.ts'

/** A key as apksigner takes it, both PEM. */
export interface UsedKey {
  privateKey: string
  certificate: string
}

/** What a package is signed with. With a lineage, `oldest` is what devices before Android 9 see. */
export interface KeyChain {
  newest: UsedKey
  oldest: UsedKey
  lineage: Buffer | null
}

/** Signs `input` with every scheme that its devices need. Throws ProgramFailure when apksigner refuses. */
export async function signWith(
  chain: KeyChain,
  { input, output, minSdk, signal }: { input: string; output: string; minSdk: number; signal: AbortSignal },
): Promise<void> {
  await withFolder(async folder => {
    const password = randomBytes(24).toString('hex')
    const rotated = chain.lineage !== null
    const first = await keyArguments(folder, 'first', rotated ? chain.oldest : chain.newest, password)
    const next: string[] = []
    if (chain.lineage) {
      await writeFile(join(folder, 'lineage'), chain.lineage)
      next.push('--next-signer', ...(await keyArguments(folder, 'next', chain.newest, password)))
      next.push('--lineage', join(folder, 'lineage'))
    }
    const range = ['--min-sdk-version', String(Math.max(1, minSdk)), '--v4-signing-enabled', 'false']
    await runProgram('apksigner', ['sign', ...first, ...next, ...range, '--out', output, input], {
      folder,
      signal,
      lines: rotated ? [password, password] : [password],
    })
  })
}

/** The proof that `older` hands over to `newer`, longer than `lineage` by one where there is one. Refuses 503 without apksigner. */
export async function rotate(older: UsedKey, newer: UsedKey, lineage: Buffer | null): Promise<Buffer> {
  const lacking = await missingPrograms({ apksigner: 'apksigner' })
  if (lacking) refuse(commonErrors.missingEngine, { engine: lacking.missing, install: lacking.install })
  return withFolder(async folder => {
    const password = randomBytes(24).toString('hex')
    const before = lineage === null ? [] : ['--in', join(folder, 'before')]
    if (lineage) await writeFile(join(folder, 'before'), lineage)
    const out = join(folder, 'lineage')
    const old = ['--old-signer', ...(await keyArguments(folder, 'older', older, password))]
    const next = ['--new-signer', ...(await keyArguments(folder, 'newer', newer, password))]
    await runProgram('apksigner', ['rotate', '--out', out, ...before, ...old, ...next], {
      folder,
      lines: [password, password],
    })
    return readFile(out)
  })
}

/**
 * What lies on the disk meanwhile is under a password of this one run, which goes in by standard input: a process that is
 * killed half-way leaves no key behind.
 */
async function keyArguments(folder: string, name: string, key: UsedKey, password: string): Promise<string[]> {
  const plain = createPrivateKey(key.privateKey).export({ type: 'pkcs8', format: 'der' })
  // Of the forms of forge the only one that Java 17 reads: it finds no factory by the name of PBES2.
  const sealed = forge.pki.encryptPrivateKeyInfo(forge.asn1.fromDer(plain.toString('binary')), password, {
    algorithm: '3des',
    count: 2048,
  })
  const [keyPath, certificatePath] = [join(folder, `${name}.pk8`), join(folder, `${name}.pem`)]
  await writeFile(keyPath, Buffer.from(forge.asn1.toDer(sealed).getBytes(), 'binary'), { mode: 0o600 })
  await writeFile(certificatePath, key.certificate)
  return ['--key', keyPath, '--cert', certificatePath, '--key-pass', 'stdin']
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loggia-signing-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
