import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SentFile } from './sent-file.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-sent-'))
const file = path.join(folder, 'file')
const bytes = randomBytes(5_000_001)
writeFileSync(file, bytes)
const app = Fastify()
app.get('/whole', () => new SentFile(openSync(file, 'r')))
app.get('/part', () => new SentFile(openSync(file, 'r'), { start: 65_530, end: 4_000_000 }))
let address = ''
beforeAll(async () => {
  address = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const digestOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')
const fetched = async (place: string) => digestOf(new Uint8Array(await (await fetch(address + place)).arrayBuffer()))

/** How many descriptors of this process are of the file. */
function openFiles(): number {
  const targets = readdirSync('/proc/self/fd').map(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return targets.filter(target => target === file).length
}

it('a file arrives whole and in part, forty at once, and is closed', async () => {
  const [whole, part] = [digestOf(bytes), digestOf(bytes.subarray(65_530, 4_000_001))]
  const places = Array.from({ length: 40 }, (_, at) => (at % 2 ? '/part' : '/whole'))
  expect(await Promise.all(places.map(fetched))).toEqual(places.map((_, at) => (at % 2 ? part : whole)))
  await expect.poll(openFiles).toBe(0)
})

it('a reader that goes away closes it, and what others read stays right', async () => {
  const leave = () =>
    new Promise<void>((resolve, reject) => {
      const request = http.get(`${address}/whole`, reply => reply.once('data', () => request.destroy()))
      request.once('close', () => resolve())
      request.once('error', error => ((error as { code?: string }).code === 'ECONNRESET' ? resolve() : reject(error)))
    })
  const right = digestOf(bytes)
  for (let round = 0; round < 5; round++) {
    const [digest] = await Promise.all([fetched('/whole'), leave(), leave(), leave()])
    expect(digest).toBe(right)
  }
  await expect.poll(openFiles, { timeout: 5_000 }).toBe(0)
})

it('read as any stream it is whole, and destroyed in the middle it is closed', async () => {
  const parts: Buffer[] = []
  for await (const part of new SentFile(openSync(file, 'r'))) parts.push(part)
  expect(digestOf(Buffer.concat(parts))).toBe(digestOf(bytes))
  const half = new SentFile(openSync(file, 'r'))
  half.once('data', () => half.destroy())
  await new Promise(resolve => half.once('close', resolve))
  await expect.poll(openFiles).toBe(0)
})
