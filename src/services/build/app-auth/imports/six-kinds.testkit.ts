import { createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto'
import { hash as argon } from '@node-rs/argon2'

/** A way to hash passwords, as an import names it, with rows that are hashed so. */
export interface KindOfHash {
  hash: Record<string, string | number>
  passwordHash: string
  salt: string
}

export const importedPassword = 'Old-secret-42'
const salt = Buffer.from('a salt of sixteen')
const key = Buffer.from('a key of the peer')
const secret = Buffer.from(importedPassword)
const base64 = (bytes: Buffer) => bytes.toString('base64')

/** Six ways that peers hash passwords; each was hashed once, for a million users have no hour here. */
export async function sixKinds(): Promise<KindOfHash[]> {
  const salted = (hash: KindOfHash['hash'], bytes: Buffer): KindOfHash => ({
    hash,
    passwordHash: base64(bytes),
    salt: base64(salt),
  })
  const standard = { memoryCost: 1024, blockSize: 8, parallelization: 1, keyLength: 32 }
  const options = { N: 1024, r: 8, p: 1 }
  const cost = { memoryCost: 1024, timeCost: 2, parallelism: 1 }
  return [
    salted(
      { algorithm: 'HMAC_SHA256', key: base64(key), order: 'PASSWORD_FIRST' },
      createHmac('sha256', key)
        .update(Buffer.concat([secret, salt]))
        .digest(),
    ),
    salted(
      { algorithm: 'SHA512', order: 'SALT_FIRST' },
      createHash('sha512')
        .update(Buffer.concat([salt, secret]))
        .digest(),
    ),
    salted({ algorithm: 'PBKDF2_SHA256', rounds: 1000 }, pbkdf2Sync(secret, salt, 1000, 32, 'sha256')),
    salted({ algorithm: 'STANDARD_SCRYPT', ...standard }, scryptSync(secret, salt, 32, options)),
    { hash: { algorithm: 'ARGON2' }, passwordHash: await argon(importedPassword, cost), salt: '' },
    salted(
      { algorithm: 'MD5' },
      createHash('md5')
        .update(Buffer.concat([secret, salt]))
        .digest(),
    ),
  ]
}

/** Users of a part of an import, all of one kind; every hundredth has no address, every thousandth that of the first one. */
export function usersOfKind(kind: KindOfHash, from: number, count: number) {
  return Array.from({ length: count }, (_none, at) => {
    const n = from + at
    const email = n % 100 === 99 ? 'no address' : `u${n % 1000 === 0 ? 0 : n}@example.com`
    return { importUid: `old-${n}`, email, passwordHash: kind.passwordHash, salt: kind.salt }
  })
}
