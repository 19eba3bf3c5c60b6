import { createCipheriv, createHash, createHmac, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'
import { missingPrograms, ProgramFailure, runProgram } from '../../../server/programs.ts'
import type { HashAlgorithm } from './rules.ts'
import type { ForeignHash, ImportHash } from './tables.ts'

const derive = promisify<string | Buffer, Buffer, number, number, string, Buffer>(pbkdf2)

/** Opens the signing key of an import; it is kept sealed. */
export type OpenKey = (sealed: string) => Buffer

/** bcrypt comes with the crypt of the system, which Perl reaches; nothing of npm that is kept here has it. */
export const bcryptNeeds = { perl: 'perl-base' } as const
const perlCrypt = 'my $p = <STDIN>; my $s = <STDIN>; chomp($p, $s); print crypt(pack("H*", $p), $s)'

const workMost = { rounds: 2_000_000, memory: 64 * 1024 * 1024 }

/** What an import must say of its hashes, or null when it says enough. */
export function missingOfHash(hash: ImportHash): string | null {
  const algorithm = hash.algorithm as HashAlgorithm
  if (algorithm === 'SCRYPT') {
    if (!hash.sealedKey) return 'key'
    return hash.rounds === undefined ? 'rounds' : hash.memoryCost === undefined ? 'memoryCost' : null
  }
  if (algorithm === 'STANDARD_SCRYPT') {
    return (['memoryCost', 'blockSize', 'parallelization', 'keyLength'] as const).find(name => !hash[name]) ?? null
  }
  if (algorithm.startsWith('PBKDF2')) return hash.rounds === undefined ? 'rounds' : null
  if (algorithm.startsWith('HMAC')) return hash.sealedKey ? null : 'key'
  return null
}

/** Whether the parameters would cost more than one sign-in may. */
export function isTooCostly(hash: ImportHash): boolean {
  const { algorithm, rounds = 1, memoryCost = 0, blockSize = 8, parallelization = 1 } = hash
  if (rounds > workMost.rounds) return true
  if (algorithm === 'SCRYPT') return memoryCost < 1 || memoryCost > 14 || rounds < 1 || rounds > 8
  if (algorithm === 'STANDARD_SCRYPT') {
    return (
      (memoryCost & (memoryCost - 1)) !== 0 || 128 * memoryCost * blockSize > workMost.memory || parallelization > 8
    )
  }
  return false
}

/** Whether one hash can be read at all: what will never let anybody in is told at the import. */
export function isHashReadable(foreign: ForeignHash): boolean {
  const { algorithm, hash } = foreign
  if (algorithm === 'BCRYPT') return /^\$2[abxy]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/.test(hash)
  if (algorithm === 'ARGON2') return isModestArgon(hash)
  const bytes = bytesOf(foreign, hash)
  return bytes.length >= 8 && bytes.length <= 512
}

function isModestArgon(hash: string): boolean {
  const found = /^\$argon2(id|i|d)\$v=\d+\$m=(\d+),t=(\d+),p=(\d+)\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/.exec(hash)
  return found !== null && Number(found[2]) <= 131_072 && Number(found[3]) <= 10 && Number(found[4]) <= 8
}

/** Whether a password fits a hash that was made elsewhere. */
export async function isForeignPassword(password: string, foreign: ForeignHash, openKey: OpenKey): Promise<boolean> {
  const { algorithm, hash, params } = foreign
  if (algorithm === 'ARGON2') return verify(hash, password).catch(() => false)
  if (algorithm === 'BCRYPT') return isBcrypt(password, hash)
  const wanted = bytesOf(foreign, hash)
  const salt = bytesOf(foreign, foreign.salt)
  const found = await digestOf(algorithm as HashAlgorithm, Buffer.from(password), salt, wanted.length, params, openKey)
  return found.length === wanted.length && timingSafeEqual(found, wanted)
}

function bytesOf({ params }: ForeignHash, text: string): Buffer {
  return params['encoding'] === 'HEX' ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
}

async function isBcrypt(password: string, hash: string): Promise<boolean> {
  if ((await missingPrograms(bcryptNeeds)) !== null) return false
  // $2x$ is a mistake of old PHP; the others are one and the same.
  const setting = hash.replace(/^\$2[ab]\$/, '$2b$')
  const lines = [Buffer.from(password).toString('hex'), setting]
  try {
    const made = Buffer.from(await runProgram('perl', ['-e', perlCrypt], { folder: tmpdir(), lines }))
    const wanted = Buffer.from(setting)
    return made.length === wanted.length && timingSafeEqual(made, wanted)
  } catch (error) {
    if (error instanceof ProgramFailure) return false
    throw error
  }
}

async function digestOf(
  algorithm: HashAlgorithm,
  password: Buffer,
  salt: Buffer,
  length: number,
  params: ForeignHash['params'],
  openKey: OpenKey,
): Promise<Buffer> {
  const number = (name: string, other: number) => (typeof params[name] === 'number' ? Number(params[name]) : other)
  const key = typeof params['sealedKey'] === 'string' ? openKey(params['sealedKey']) : Buffer.alloc(0)
  const name = algorithm.replace(/^(PBKDF2|HMAC)_/, '').toLowerCase()
  const ordered = params['order'] === 'SALT_FIRST' ? [salt, password] : [password, salt]
  if (algorithm.startsWith('PBKDF2')) {
    return derive(password, salt, number('rounds', 1), length, name) as Promise<Buffer>
  }
  if (algorithm.startsWith('HMAC')) return createHmac(name, key).update(Buffer.concat(ordered)).digest()
  if (algorithm === 'STANDARD_SCRYPT') {
    const options = { N: number('memoryCost', 2), r: number('blockSize', 8), p: number('parallelization', 1) }
    return scryptOf(password, salt, length, options)
  }
  if (algorithm === 'SCRYPT') {
    const separator = Buffer.from(String(params['saltSeparator'] ?? ''), 'base64')
    const options = { N: 2 ** number('memoryCost', 14), r: number('rounds', 8), p: 1 }
    const derived = await scryptOf(password, Buffer.concat([salt, separator]), 64, options)
    // The peer keeps its signing key, encrypted by what the password derives.
    const cipher = createCipheriv('aes-256-ctr', derived.subarray(0, 32), Buffer.alloc(16))
    return Buffer.concat([cipher.update(key), cipher.final()])
  }
  let digest = createHash(name).update(Buffer.concat(ordered)).digest()
  for (let round = 1; round < Math.max(1, number('rounds', 1)); round++)
    digest = createHash(name).update(digest).digest()
  return digest
}

function scryptOf(password: Buffer, salt: Buffer, length: number, options: { N: number; r: number; p: number }) {
  return new Promise<Buffer>((resolve, reject) => {
    scrypt(password, salt, length, { ...options, maxmem: 256 * 1024 * 1024 }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}
