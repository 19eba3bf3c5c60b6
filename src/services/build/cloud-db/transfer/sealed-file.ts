import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { refuse } from '../../../../kernel/errors.ts'
import { cloudDbTransfer } from './contract.ts'

/**
 * Files of rows behind a passphrase. The form, which docs/cloud-db.md tells those who open one elsewhere:
 *
 *     bytes 0 to 7     `LOGGIA\0\1`
 *     bytes 8 to 10    the cost of scrypt: log2 of N, r, p
 *     bytes 11 to 26   its salt; the key it derives has 32 bytes
 *     bytes 27 to 33   the beginning of every nonce
 *     then parts       AES-256-GCM over 65,536 bytes each, the last one shorter, with its tag of 16 bytes behind it
 *
 * A part's nonce is that beginning, the number of the part in four bytes, and 1 for the last part, else 0; the 34 bytes of
 * the head are authenticated with each. So no part can be left out, moved or taken from another file.
 */
const magic = Buffer.from('LOGGIA\0\x01', 'latin1')
const cost = { log2N: 15, r: 8, p: 1 }
const saltAt = magic.length + 3
const nonceAt = saltAt + 16
const headBytes = nonceAt + 7
const partBytes = 65_536
const tagBytes = 16

/** The key of a passphrase, and the beginning of a file's head, which says how it came to be. */
export interface FileKey {
  key: Buffer
  start: Buffer
}

export async function newFileKey(passphrase: string): Promise<FileKey> {
  const { log2N, r, p } = cost
  const start = Buffer.concat([magic, Buffer.from([log2N, r, p]), randomBytes(16)])
  return { key: await keyFrom(passphrase, start), start }
}

function keyFrom(passphrase: string, start: Buffer): Promise<Buffer> {
  const options = { N: 2 ** cost.log2N, r: cost.r, p: cost.p, maxmem: 64 * 1024 * 1024 }
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), start.subarray(saltAt, nonceAt), 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

function nonceOf(head: Buffer, part: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  head.copy(nonce, 0, nonceAt)
  nonce.writeUInt32BE(part, 7)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** The same bytes behind the key, part by part; files of one key have nonces of their own. */
export async function* sealed({ key, start }: FileKey, plain: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const head = Buffer.concat([start, randomBytes(headBytes - nonceAt)])
  const seal = (bytes: Buffer, part: number, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(head, part, isLast)).setAAD(head)
    return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
  yield head
  let waiting = Buffer.alloc(0)
  let part = 0
  for await (const bytes of plain) {
    waiting = Buffer.concat([waiting, bytes])
    // A part goes out when it is known not to be the last one.
    while (waiting.length > partBytes) {
      yield seal(waiting.subarray(0, partBytes), part++, false)
      waiting = waiting.subarray(partBytes)
    }
  }
  yield seal(waiting, part, true)
}

/** Opens a whole file; refuses a wrong passphrase and a file that was changed or cut. */
export async function opened(passphrase: string, bytes: Buffer): Promise<Buffer> {
  const head = bytes.subarray(0, headBytes)
  const { log2N, r, p } = cost
  const isOurs = head.length === headBytes && head.subarray(0, saltAt).equals(Buffer.from([...magic, log2N, r, p]))
  if (!isOurs) refuse(cloudDbTransfer.errors.notSealed)
  const key = await keyFrom(passphrase, head)
  const parts: Buffer[] = []
  for (let at = headBytes, part = 0; part === 0 || at < bytes.length; at += partBytes + tagBytes, part++) {
    const isLast = at + partBytes + tagBytes >= bytes.length
    const own = bytes.subarray(at, at + partBytes + tagBytes)
    if (own.length < tagBytes) refuse(cloudDbTransfer.errors.wrongPassphrase)
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(head, part, isLast), { authTagLength: tagBytes })
      decipher.setAAD(head).setAuthTag(own.subarray(own.length - tagBytes))
      parts.push(decipher.update(own.subarray(0, own.length - tagBytes)), decipher.final())
    } catch {
      refuse(cloudDbTransfer.errors.wrongPassphrase)
    }
  }
  return Buffer.concat(parts)
}
