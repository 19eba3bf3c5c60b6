import { readdirSync } from 'node:fs'
import path from 'node:path'
import { CopyObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Booted } from '../../../../server/boot.ts'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { type AppOnDevice, type Device, type DeviceUser, openApp } from '../../app-auth/app-auth.testkit.ts'
import { storage } from '../contract.ts'
import { s3Of, setLevel } from '../storage.testkit.ts'

/** Two processes over one database: bytes that were replaced go at once, and nobody may notice. */
let stage: Stage
let other: Booted
let app: AppOnDevice
let device: Device
let user: DeviceUser
let bucketId: string
beforeAll(async () => {
  stage = await openStage()
  app = await openApp(stage)
  ;({ bucketId } = await app.owner.ok(storage, 'initData', {
    body: { projectId: app.projectId, bucketName: 'replaced-files' },
  }))
  await setLevel(stage, { projectId: app.projectId, bucketId }, 'PAID')
  device = await app.install()
  user = await device.anonymous()
  other = await stage.another()
})
afterAll(() => stage.close())

/** Larger than what stands in a row. */
const bytesOf = (letter: string) => letter.repeat(100_000)

async function send(on: Pick<Booted, 'app'>, method: 'GET' | 'PUT', name: string, payload?: string) {
  const headers = { authorization: `Bearer ${device.clientToken}`, access_token: user.accessToken }
  const more = { productid: app.projectId, 'content-type': 'text/plain' }
  const url = `/v0/${bucketId}/${name}`
  const reply = await on.app.inject({
    ...{ method, url, headers: { ...headers, ...more } },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: reply.statusCode, text: reply.payload }
}

/** How many blobs lie on the disk. */
const blobs = () =>
  readdirSync(path.join(stage.booted.server.config.dataDir, 'storage', 'cn'), { recursive: true }).filter(name =>
    /[0-9a-f]{64}$/.test(String(name)),
  ).length

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const endsAt = performance.now() + 10_000; !(await isSo()); ) {
    if (performance.now() > endsAt) throw new Error('it did not come to be so')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

it('bytes of a file that was replaced take no room any more, and nothing is left to do', async () => {
  await send(stage, 'PUT', 'a.txt', bytesOf('a'))
  const before = blobs()
  for (const letter of 'bcdef') expect((await send(stage, 'PUT', 'a.txt', bytesOf(letter))).status).toBe(200)
  await until(() => blobs() === before)
  await until(async () => (await stage.sql('CN', 'SELECT blob FROM storage_garbage')).length === 0)
  expect((await send(stage, 'GET', 'a.txt')).text).toBe(bytesOf('f'))
})

it('whoever reads while others replace it gets one of the files, whole, from either process', async () => {
  await send(stage, 'PUT', 'hot.txt', bytesOf('z'))
  let isOver = false
  const seen: string[] = []
  const reading = [stage, other, stage, other].map(async on => {
    while (!isOver) {
      const { status, text } = await send(on, 'GET', 'hot.txt')
      seen.push(status === 200 && text === bytesOf(text[0] ?? '') ? 'whole' : `${status} ${text.slice(0, 200)}`)
    }
  })
  for (let round = 0; round < 60; round++)
    await send(round % 2 === 0 ? stage : other, 'PUT', 'hot.txt', bytesOf(String.fromCharCode(97 + (round % 26))))
  isOver = true
  await Promise.all(reading)
  expect(seen.length).toBeGreaterThan(20)
  expect([...new Set(seen)]).toEqual(['whole'])
})

it('whoever still has the row of bytes that are gone looks at it again', async () => {
  await send(stage, 'PUT', 'old.txt', bytesOf('o'))
  await send(stage, 'PUT', 'new.txt', bytesOf('n'))
  expect((await send(other, 'GET', 'old.txt')).text).toBe(bytesOf('o'))
  const blobOf = async (name: string) => {
    const rows = await stage.sql('CN', 'SELECT blob FROM storage_objects WHERE bucket_id = $1 AND path = $2', [
      ...[bucketId, name],
    ])
    return String(rows[0]?.['blob'])
  }
  const [gone, there] = [await blobOf('old.txt'), await blobOf('new.txt')]
  // Without a signal, as if it had not come yet.
  await stage.sql('CN', 'UPDATE storage_objects SET blob = $1 WHERE blob = $2', [there, gone])
  await stage.booted.server.bytes('CN', 'storage').remove(gone)
  expect(await send(other, 'GET', 'old.txt')).toEqual({ status: 200, text: bytesOf('n') })
  await stage.booted.server.bytes('CN', 'storage').remove(there)
  expect((await send(other, 'GET', 'old.txt')).status).toBe(404)
})

it('bytes that a copy names too stay, however close the two came', async () => {
  const { client } = await s3Of(app.owner, await stage.listen(), { projectId: app.projectId, bucketId })
  const [source, target] = ['source.txt', 'copy.txt']
  for (let round = 0; round < 12; round++) {
    await send(stage, 'PUT', source, bytesOf('s'))
    const copying = client.send(
      new CopyObjectCommand({ Bucket: bucketId, Key: target, CopySource: `${bucketId}/${source}` }),
    )
    await Promise.all([copying, send(stage, 'PUT', source, bytesOf('t'))])
    await new Promise(resolve => setTimeout(resolve, 60))
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucketId, Key: target }))
    expect([bytesOf('s'), bytesOf('t')]).toContain(await Body?.transformToString())
  }
  client.destroy()
})
