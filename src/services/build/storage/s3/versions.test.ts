import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../../testkit/stage.ts'
import { newStorage, s3Of } from '../storage.testkit.ts'

let stage: Stage
let client: S3Client
let Bucket: string
beforeAll(async () => {
  stage = await openStage()
  const owner = await stage.person()
  const stored = await newStorage(stage, owner)
  Bucket = stored.bucketId
  ;({ client } = await s3Of(owner, await stage.listen(), stored))
})
afterAll(() => stage.close())

const put = async (Key: string, Body: string) =>
  (await client.send(new PutObjectCommand({ Bucket, Key, Body }))).VersionId ?? ''
const textOf = async (Key: string, VersionId?: string) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, VersionId }))
  return (await Body?.transformToString()) ?? ''
}
const told = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { name: string; $metadata?: { httpStatusCode?: number } }) =>
      `${error.name} ${error.$metadata?.httpStatusCode}`,
  )
const listed = (Prefix: string, more: object = {}) =>
  client.send(new ListObjectVersionsCommand({ Bucket, Prefix, ...more }))
const drop = (Key: string, VersionId?: string) => client.send(new DeleteObjectCommand({ Bucket, Key, VersionId }))

describe('versioning of a bucket, for the client of AWS', () => {
  it('is off, can be turned on and stopped, and is nothing else', async () => {
    const status = async () => (await client.send(new GetBucketVersioningCommand({ Bucket }))).Status
    const turn = (Status: string) =>
      client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: Status as 'Enabled' } }))
    expect(await status()).toBe(undefined)
    await turn('Suspended')
    expect(await status()).toBe('Suspended')
    await turn('Enabled')
    expect(await status()).toBe('Enabled')
    expect(await told(turn('Sometimes'))).toBe('MalformedXML 400')
  })
})

describe('versions of files, for the client of AWS', () => {
  it('are listed newest first and read by their id', async () => {
    const ids = [await put('a/one', '1'), await put('a/one', '22'), await put('a/one', '333')]
    expect(new Set(ids).size).toBe(3)
    const { Versions, DeleteMarkers } = await listed('a/')
    expect(Versions?.map(one => [one.VersionId, one.IsLatest, one.Size])).toEqual([
      [ids[2], true, 3],
      [ids[1], false, 2],
      [ids[0], false, 1],
    ])
    expect(DeleteMarkers).toBe(undefined)
    expect(await textOf('a/one', ids[0])).toBe('1')
    expect(await textOf('a/one')).toBe('333')
    expect(await told(textOf('a/one', '77'))).toBe('NoSuchVersion 404')
  })

  it('stay behind a delete marker, and the file is back when the marker goes', async () => {
    const first = await put('b', 'kept')
    const gone = await drop('b')
    expect(gone.DeleteMarker).toBe(true)
    const marker = gone.VersionId ?? ''
    expect(await told(textOf('b'))).toBe('NoSuchKey 404')
    expect(await told(textOf('b', marker))).toBe('MethodNotAllowed 405')
    expect(await textOf('b', first)).toBe('kept')
    const between = await listed('b')
    expect(between.DeleteMarkers?.map(one => [one.VersionId, one.IsLatest])).toEqual([[marker, true]])
    expect(between.Versions?.map(one => [one.VersionId, one.IsLatest])).toEqual([[first, false]])
    expect((await drop('b', marker)).DeleteMarker).toBe(true)
    expect(await textOf('b')).toBe('kept')
    expect((await client.send(new HeadObjectCommand({ Bucket, Key: 'b' }))).VersionId).toBe(first)
  })

  it('go for good by their id, and the one before stands there again', async () => {
    const ids = [await put('c', 'old'), await put('c', 'new')]
    await drop('c', ids[1])
    expect(await textOf('c')).toBe('old')
    expect(await told(textOf('c', ids[1]))).toBe('NoSuchVersion 404')
    await drop('c', ids[0])
    expect(await told(textOf('c'))).toBe('NoSuchKey 404')
    expect((await listed('c')).Versions).toBe(undefined)
  })

  it('that are not the newest go without a change to the file', async () => {
    const ids = [await put('d', 'old'), await put('d', 'new')]
    const gone = await drop('d')
    await drop('d', ids[1])
    expect(await told(textOf('d'))).toBe('NoSuchKey 404')
    expect((await listed('d')).DeleteMarkers?.[0]?.VersionId).toBe(gone.VersionId)
    expect(await textOf('d', ids[0])).toBe('old')
  })

  it('are marked as deleted where nothing stood, and deleted many at once', async () => {
    expect((await drop('never')).DeleteMarker).toBe(true)
    const id = await put('e', 'x')
    const { Deleted } = await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: 'e', VersionId: id }, { Key: 'a/one' }] } }),
    )
    expect(Deleted?.map(one => [one.Key, one.VersionId]).sort()).toEqual([
      ['a/one', undefined],
      ['e', id],
    ])
    expect((await listed('e')).Versions).toBe(undefined)
    expect(await told(textOf('a/one'))).toBe('NoSuchKey 404')
  })

  it('are paged through without missing or repeating one, folders as one line', async () => {
    for (const name of ['p/x/1', 'p/x/2', 'p/y/1', 'p/z']) for (const body of ['1', '2', '3']) await put(name, body)
    const all = await listed('p/')
    const walked: string[] = []
    const folders: string[] = []
    const walk = async (more: object, into: (page: Awaited<ReturnType<typeof listed>>) => void) => {
      let markers: object = {}
      for (let pages = 0; pages < 30; pages++) {
        const page = await listed('p/', { ...more, ...markers })
        into(page)
        if (!page.IsTruncated) return
        markers = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      }
      throw new Error('the listing does not end')
    }
    await walk({ MaxKeys: 5 }, page => walked.push(...(page.Versions ?? []).map(one => `${one.Key} ${one.VersionId}`)))
    expect(walked).toEqual(all.Versions?.map(one => `${one.Key} ${one.VersionId}`))
    expect(walked).toHaveLength(12)
    await walk({ MaxKeys: 1, Delimiter: '/' }, page => {
      folders.push(...(page.CommonPrefixes ?? []).map(one => one.Prefix ?? ''))
      folders.push(...(page.Versions ?? []).map(one => one.Key ?? ''))
    })
    expect(folders).toEqual(['p/x/', 'p/y/', 'p/z', 'p/z', 'p/z'])
    const { Contents } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'p/' }))
    expect(Contents).toHaveLength(4)
  })
})

describe('a bucket whose versions are paused, for the client of AWS', () => {
  const turn = (Status: 'Enabled' | 'Suspended') =>
    client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }))
  const idsOf = async (key: string) => ((await listed(key)).Versions ?? []).map(one => one.VersionId)
  const markersOf = async (key: string) => ((await listed(key)).DeleteMarkers ?? []).map(one => one.VersionId)

  it('keeps the versions there are, and one more that is called null, which the next one replaces', async () => {
    const first = await put('s/one', 'kept')
    await turn('Suspended')
    expect(await put('s/one', 'loose')).toBe('null')
    expect(await put('s/one', 'looser')).toBe('null')
    expect(await idsOf('s/one')).toEqual(['null', first])
    expect([await textOf('s/one'), await textOf('s/one', 'null'), await textOf('s/one', first)]).toEqual([
      'looser',
      'looser',
      'kept',
    ])
    await turn('Enabled')
    const later = await put('s/one', 'new')
    expect(await idsOf('s/one')).toEqual([later, 'null', first])
    expect(await textOf('s/one', 'null')).toBe('looser')
    await turn('Suspended')
    await put('s/one', 'loosest')
    expect(await idsOf('s/one')).toEqual(['null', later, first])
    expect(await textOf('s/one', 'null')).toBe('loosest')
    await drop('s/one', 'null')
    expect([await textOf('s/one'), await idsOf('s/one')]).toEqual(['new', [later, first]])
    await turn('Enabled')
  })

  it('marks what is deleted with a null marker, of which there is one, and what had an id stays', async () => {
    const first = await put('s/two', 'kept')
    await turn('Suspended')
    const gone = await drop('s/two')
    expect([gone.DeleteMarker, gone.VersionId]).toEqual([true, 'null'])
    expect(await told(textOf('s/two'))).toBe('NoSuchKey 404')
    expect(await textOf('s/two', first)).toBe('kept')
    await put('s/two', 'loose')
    expect([await idsOf('s/two'), await markersOf('s/two')]).toEqual([['null', first], []])
    await drop('s/two')
    await drop('s/two')
    expect([await idsOf('s/two'), await markersOf('s/two')]).toEqual([[first], ['null']])
    expect(await told(textOf('s/two', 'null'))).toBe('MethodNotAllowed 405')
    expect((await drop('s/two', 'null')).DeleteMarker).toBe(true)
    expect(await textOf('s/two')).toBe('kept')
    await turn('Enabled')
  })

  it('leaves no bytes of a large null version behind', async () => {
    const large = 'x'.repeat(40_000)
    await turn('Suspended')
    for (const letter of 'ab') await put('s/large', large + letter)
    await drop('s/large')
    await turn('Enabled')
    const left = await stage.sql('CN', `SELECT FROM storage_versions WHERE path = 's/large' AND blob IS NOT NULL`)
    expect(left).toEqual([])
  })
})
