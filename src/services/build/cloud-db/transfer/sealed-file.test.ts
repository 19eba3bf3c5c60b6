import { describe, expect, it } from 'vitest'
import { newFileKey, opened, sealed } from './sealed-file.ts'

async function* of(...parts: Buffer[]) {
  yield* parts
}
async function fileOf(passphrase: string, plain: Buffer): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of sealed(await newFileKey(passphrase), of(plain.subarray(0, 7), plain.subarray(7))))
    parts.push(part)
  return Buffer.concat(parts)
}
const numberOf = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    error => (error as { number: number }).number,
  )

describe('an encrypted file', () => {
  it.each([0, 1, 7, 65_535, 65_536, 65_537, 200_000])('of %i bytes comes back as it was', async size => {
    const plain = Buffer.alloc(size, 'rows of a type')
    expect((await opened('correct horse', await fileOf('correct horse', plain))).equals(plain)).toBe(true)
  })

  it('opens with no other passphrase, and shows nothing of what is in it', async () => {
    const file = await fileOf('correct horse', Buffer.alloc(70_000, 'secret row'))
    expect(await numberOf(opened('correct horsf', file))).toBe(204042006)
    expect(file.includes('secret')).toBe(false)
    expect((await fileOf('correct horse', Buffer.alloc(70_000, 'secret row'))).equals(file)).toBe(false)
  })

  it('is refused when a byte was changed, parts were cut off, left out or swapped', async () => {
    const file = await fileOf('correct horse', Buffer.alloc(200_000, 'row'))
    const part = 65_536 + 16
    const [head, parts] = [
      file.subarray(0, 34),
      [0, 1, 2, 3].map(at => file.subarray(34 + at * part, 34 + (at + 1) * part)),
    ]
    const [a, b, c, d] = parts as [Buffer, Buffer, Buffer, Buffer]
    const changed = Buffer.from(file)
    changed[100_000] = (changed[100_000] ?? 0) ^ 1
    const bent = [
      changed,
      Buffer.concat([head, a, b, c]),
      Buffer.concat([head, a, c, d]),
      Buffer.concat([head, b, a, c, d]),
      file.subarray(0, -1),
      head,
    ]
    for (const one of bent) expect(await numberOf(opened('correct horse', one))).toBe(204042006)
  })

  it('is told from a plain one, and from one whose key would cost more than we spend', async () => {
    expect(await numberOf(opened('x', Buffer.from('{"objects":[]}')))).toBe(204042005)
    const file = await fileOf('correct horse', Buffer.from('x'))
    file[8] = 30
    expect(await numberOf(opened('correct horse', file))).toBe(204042005)
  })
})
