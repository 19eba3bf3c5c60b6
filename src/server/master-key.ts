import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Keys for secrets at rest and for tokens, all derived from one master key by purpose. */
export class MasterKey {
  readonly #root: Buffer
  readonly #derived = new Map<string, Buffer>()
  /** OpenSSL takes a key in anew for each use unless it is kept as an object; that costs seven times the HMAC. */
  readonly #objects = new Map<string, KeyObject>()

  constructor(root: Buffer) {
    if (root.length < 32) throw new Error('the master key must have at least 32 bytes')
    this.#root = root
  }

  /** A 256-bit key for one purpose. */
  derive(purpose: string): Buffer {
    let key = this.#derived.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', this.#root, 'loggia', purpose, 32))
      this.#derived.set(purpose, key)
    }
    return key
  }

  /** HMAC-SHA256 of a message, base64url. */
  sign(purpose: string, message: string): string {
    return createHmac('sha256', this.#object(purpose)).update(message).digest('base64url')
  }

  /** Compares in constant time. */
  verify(purpose: string, message: string, mac: string): boolean {
    const expected = Buffer.from(this.sign(purpose, message))
    const given = Buffer.from(mac)
    return expected.length === given.length && timingSafeEqual(expected, given)
  }

  /** AES-256-GCM; the answer is `nonce.tag.text`, base64url. `context` binds it to its place, such as a row id. */
  seal(purpose: string, context: string, plain: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#object(`seal:${purpose}`), nonce)
    cipher.setAAD(Buffer.from(context))
    const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
    return [nonce, cipher.getAuthTag(), text].map(part => part.toString('base64url')).join('.')
  }

  /** Throws when the text was changed or belongs to another place. */
  open(purpose: string, context: string, sealed: string): string {
    const [nonce, tag, text] = sealed.split('.').map(part => Buffer.from(part, 'base64url'))
    if (!nonce || !tag || !text) throw new Error('not a sealed text')
    const decipher = createDecipheriv('aes-256-gcm', this.#object(`seal:${purpose}`), nonce)
    decipher.setAAD(Buffer.from(context))
    decipher.setAuthTag(tag)
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
  }

  #object(purpose: string): KeyObject {
    let key = this.#objects.get(purpose)
    if (!key) {
      key = createSecretKey(this.derive(purpose))
      this.#objects.set(purpose, key)
    }
    return key
  }
}

/** The key from `LOGGIA_MASTER_KEY` (base64), else from `<data>/master.key`, made on the first start, readable by us only. */
export function loadMasterKey(dataDir: string, given?: string): MasterKey {
  if (given) return new MasterKey(Buffer.from(given, 'base64'))
  const file = path.join(dataDir, 'master.key')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(file, 0o600)
  }
  return new MasterKey(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64'))
}
