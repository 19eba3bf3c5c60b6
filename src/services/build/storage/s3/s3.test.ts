import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  ChecksumAlgorithm,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteBucketCorsCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketCorsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { Client as Minio } from 'minio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startS3 } from '../../../../server/engines/bytes/s3.testkit.ts'
import { openStage, type Person, type Stage } from '../../../../testkit/stage.ts'
import { newStorage, type Stored, s3Of } from '../storage.testkit.ts'

const MiB = 1024 ** 2
const folder = mkdtempSync(path.join(os.tmpdir(), 'loggia-s3-'))
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const bytesOf = async (body: unknown) =>
  Buffer.from(await (body as { transformToByteArray(): Promise<Uint8Array> }).transformToByteArray())

/** How a client's error is told: its code and status. */
const told = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { name: string; $metadata?: { httpStatusCode?: number } }) =>
      `${error.name} ${error.$metadata?.httpStatusCode}`,
  )

let below: Awaited<ReturnType<typeof startS3>>
beforeAll(async () => {
  below = await startS3(folder)
})
afterAll(async () => {
  await below.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(['files', 's3'])("AWS's own client over the engine %s", engine => {
  let stage: Stage
  let owner: Person
  let stored: Stored
  let client: S3Client
  let address: string
  let Bucket: string

  beforeAll(async () => {
    const bytes =
      engine === 'files' ? 'files' : `s3://bytes?endpoint=${encodeURIComponent(below.endpoint)}&region=us-east-1`
    stage = await openStage({ config: { bytes, s3Url: 'http://s3.stage.test' } })
    owner = await stage.person()
    stored = await newStorage(stage, owner)
    Bucket = stored.bucketId
    address = await stage.listen()
    client = (await s3Of(owner, address, stored)).client
  })
  afterAll(() => stage.close())

  const put = (Key: string, Body: Buffer | string, more: object = {}) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
  /** Reads all of it: an answer that nobody read would keep the server from closing. */
  const get = async (Key: string, more: object = {}) => {
    const found = await client.send(new GetObjectCommand({ Bucket, Key, ...more }))
    return { ...found, bytes: await bytesOf(found.Body) }
  }

  it.each([0, 10, 16_385, 3 * MiB + 1])('puts and gets %i bytes', async size => {
    const bytes = randomBytes(size)
    const sent = await put(`sizes/${size}.bin`, bytes, { ContentType: 'image/x-test', Metadata: { shade: 'green' } })
    expect(sent.ETag).toBe(`"${md5(bytes)}"`)
    const found = await get(`sizes/${size}.bin`)
    expect([found.ContentType, found.Metadata, found.ContentLength]).toEqual(['image/x-test', { shade: 'green' }, size])
    expect(found.bytes.equals(bytes)).toBe(true)
  })

  it.each(Object.values(ChecksumAlgorithm).filter(name => !/MD5|SHA512|XXHASH/.test(name)))(
    'sends checksums of %s behind the body, and gets them again',
    async ChecksumAlgorithm => {
      const Body = Readable.from([randomBytes(70_000), randomBytes(70_000)])
      const Key = `checked/${ChecksumAlgorithm}`
      const sent = await client.send(
        new PutObjectCommand({ Bucket, Key, Body, ContentLength: 140_000, ChecksumAlgorithm }),
      )
      const name = `Checksum${ChecksumAlgorithm}` as 'ChecksumCRC32'
      expect(sent[name]).toMatch(/=*$/)
      const head = await client.send(new HeadObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }))
      expect(head[name]).toBe(sent[name])
    },
  )

  it('reads ranges, and answers what has not changed without its bytes', async () => {
    const bytes = randomBytes(50_000)
    const { ETag } = await put('ranged', bytes)
    const part = await get('ranged', { Range: 'bytes=100-199' })
    expect([part.ContentRange, part.bytes.equals(bytes.subarray(100, 200))]).toEqual(['bytes 100-199/50000', true])
    const tail = await get('ranged', { Range: 'bytes=-5' })
    expect(tail.bytes.equals(bytes.subarray(-5))).toBe(true)
    expect(await told(get('ranged', { Range: 'bytes=50000-' }))).toContain('416')
    expect(await told(get('ranged', { IfNoneMatch: ETag }))).toContain('304')
    expect(await told(get('ranged', { IfMatch: '"other"' }))).toBe('PreconditionFailed 412')
  })

  it('writes only where there is nothing, or what is expected', async () => {
    const { ETag } = await put('once', 'first', { IfNoneMatch: '*' })
    expect(await told(put('once', 'second', { IfNoneMatch: '*' }))).toBe('PreconditionFailed 412')
    expect(await told(put('once', 'second', { IfMatch: '"wrong"' }))).toBe('PreconditionFailed 412')
    await put('once', 'second', { IfMatch: ETag })
    expect((await get('once')).bytes.toString()).toBe('second')
  })

  it('lists in the order of bytes, by folders, and a page at a time', async () => {
    for (const name of ['a/1', 'a/2', 'a/b/3', 'b', 'c/4', 'ä', '\u{1f600}']) await put(`list/${name}`, name)
    const top = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'list/', Delimiter: '/' }))
    expect(top.CommonPrefixes?.map(one => one.Prefix)).toEqual(['list/a/', 'list/c/'])
    expect(top.Contents?.map(one => one.Key)).toEqual(['list/b', 'list/ä', 'list/\u{1f600}'])
    const seen: (string | undefined)[] = []
    let ContinuationToken: string | undefined
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: 'list/', Delimiter: '/', MaxKeys: 2, ContinuationToken }),
      )
      seen.push(...(page.CommonPrefixes ?? []).map(one => one.Prefix), ...(page.Contents ?? []).map(one => one.Key))
      ContinuationToken = page.NextContinuationToken
      expect(page.KeyCount).toBeLessThanOrEqual(2)
    } while (ContinuationToken !== undefined)
    expect(seen.sort()).toEqual(['list/a/', 'list/c/', 'list/b', 'list/ä', 'list/\u{1f600}'].sort())
    const older = await client.send(new ListObjectsCommand({ Bucket, Prefix: 'list/a/', MaxKeys: 2 }))
    expect([older.Contents?.map(one => one.Key), older.NextMarker]).toEqual([['list/a/1', 'list/a/2'], 'list/a/2'])
    const behind = await client.send(new ListObjectsCommand({ Bucket, Prefix: 'list/a/', Marker: 'list/a/2' }))
    expect(behind.Contents?.map(one => one.Key)).toEqual(['list/a/b/3'])
  })

  it('uploads in parts, out of order and one of them twice', async () => {
    const parts = [randomBytes(5 * MiB), randomBytes(5 * MiB), randomBytes(1_000)]
    const Key = 'in/parts'
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'video/x-test', Metadata: { made: 'of parts' } }),
    )
    const send = (PartNumber: number, Body: Buffer) =>
      client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
    const third = await send(3, parts[2] as Buffer)
    await send(1, randomBytes(5 * MiB))
    const [first, second] = await Promise.all([send(1, parts[0] as Buffer), send(2, parts[1] as Buffer)])
    const listed = await client.send(new ListPartsCommand({ Bucket, Key, UploadId }))
    expect(listed.Parts?.map(part => [part.PartNumber, part.Size])).toEqual([
      [1, 5 * MiB],
      [2, 5 * MiB],
      [3, 1_000],
    ])
    const open = await client.send(new ListMultipartUploadsCommand({ Bucket }))
    expect(open.Uploads?.map(one => one.UploadId)).toContain(UploadId)
    const Parts = [first, second, third].map(({ ETag }, at) => ({ PartNumber: at + 1, ETag }))
    const complete = (wanted: typeof Parts) =>
      client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts: wanted } }))
    expect(await told(complete([...Parts].reverse()))).toBe('InvalidPartOrder 400')
    expect(await told(complete([{ PartNumber: 9, ETag: '"x"' }]))).toBe('InvalidPart 400')
    const done = await complete(Parts)
    const digests = createHash('md5')
    for (const part of parts) digests.update(createHash('md5').update(part).digest())
    expect(done.ETag).toBe(`"${digests.digest('hex')}-3"`)
    expect((await complete(Parts)).ETag).toBe(done.ETag)
    const found = await get(Key)
    expect([found.ContentType, found.Metadata]).toEqual(['video/x-test', { made: 'of parts' }])
    expect(found.bytes.equals(Buffer.concat(parts))).toBe(true)
    expect(await told(send(1, parts[2] as Buffer))).toBe('NoSuchUpload 404')
  })

  it('refuses parts that are too small, and gives uploads up', async () => {
    const Key = 'small/parts'
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const sent = await Promise.all(
      [1, 2].map(PartNumber =>
        client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body: 'small' })),
      ),
    )
    const Parts = sent.map(({ ETag }, at) => ({ PartNumber: at + 1, ETag }))
    const complete = new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } })
    expect(await told(client.send(complete))).toBe('EntityTooSmall 400')
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    expect(await told(client.send(new ListPartsCommand({ Bucket, Key, UploadId })))).toBe('NoSuchUpload 404')
    expect(await told(get(Key))).toBe('NoSuchKey 404')
  })

  it('uploads a stream of unknown length through the manager of AWS', async () => {
    const bytes = randomBytes(13 * MiB)
    const upload = new Upload({
      client,
      params: { Bucket, Key: 'managed', Body: Readable.from([bytes.subarray(0, 6 * MiB), bytes.subarray(6 * MiB)]) },
      partSize: 5 * MiB,
    })
    await upload.done()
    expect((await get('managed')).bytes.equals(bytes)).toBe(true)
  })

  it('copies files and ranges of files without sending them', async () => {
    const bytes = randomBytes(6 * MiB)
    await put('from/here', bytes, { ContentType: 'a/b', Metadata: { old: '1' } })
    await client.send(new CopyObjectCommand({ Bucket, Key: 'to/there', CopySource: `${Bucket}/from/here` }))
    const copy = await get('to/there')
    expect([copy.ContentType, copy.Metadata]).toEqual(['a/b', { old: '1' }])
    await client.send(
      new CopyObjectCommand({
        Bucket,
        Key: 'to/there',
        CopySource: `${Bucket}/to/there`,
        MetadataDirective: 'REPLACE',
        ContentType: 'c/d',
      }),
    )
    expect((await get('to/there')).ContentType).toBe('c/d')
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'from/here' }))
    stage.clock.turn(2 * 3_600_000)
    await stage.booted.worker.sweep()
    stage.clock.turn(-2 * 3_600_000)
    expect((await get('to/there')).bytes.equals(bytes)).toBe(true)
    const Key = 'to/parts'
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }))
    const CopySource = `${Bucket}/to/there`
    const part = await client.send(
      new UploadPartCopyCommand({
        Bucket,
        Key,
        UploadId,
        PartNumber: 1,
        CopySource,
        CopySourceRange: 'bytes=10-5242999',
      }),
    )
    await client.send(
      new CompleteMultipartUploadCommand({
        Bucket,
        Key,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part.CopyPartResult?.ETag }] },
      }),
    )
    expect((await get(Key)).bytes.equals(bytes.subarray(10, 5_243_000))).toBe(true)
  })

  it('deletes one, and many at once', async () => {
    for (const name of ['x', 'y', 'z']) await put(`gone/${name}`, name)
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'gone/never' }))
    const Objects = ['gone/x', 'gone/y', 'gone/never'].map(Key => ({ Key }))
    const done = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
    expect([done.Deleted?.length, done.Errors ?? []]).toEqual([3, []])
    const left = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'gone/' }))
    expect(left.Contents?.map(one => one.Key)).toEqual(['gone/z'])
  })

  it('makes, lists and deletes buckets under the name that it chose', async () => {
    const own = `made-by-s3-${engine}`
    await client.send(new CreateBucketCommand({ Bucket: own }))
    expect(await told(client.send(new CreateBucketCommand({ Bucket: own })))).toBe('BucketAlreadyOwnedByYou 409')
    const { Buckets } = await client.send(new ListBucketsCommand({}))
    expect(Buckets?.map(one => one.Name)).toEqual(expect.arrayContaining([Bucket, own]))
    await client.send(new HeadBucketCommand({ Bucket: own }))
    await client.send(new PutObjectCommand({ Bucket: own, Key: 'in the way', Body: 'x' }))
    expect(await told(client.send(new DeleteBucketCommand({ Bucket: own })))).toBe('BucketNotEmpty 409')
    await client.send(new DeleteObjectCommand({ Bucket: own, Key: 'in the way' }))
    await client.send(new DeleteBucketCommand({ Bucket: own }))
    expect(await told(client.send(new HeadBucketCommand({ Bucket: own })))).toBe('NotFound 404')
  })

  it('sets, reads and removes what pages of other origins may do', async () => {
    expect(await told(client.send(new GetBucketCorsCommand({ Bucket })))).toBe('NoSuchCORSConfiguration 404')
    const CORSRules = [
      {
        AllowedOrigins: ['https://app.example'],
        AllowedMethods: ['GET', 'PUT'],
        AllowedHeaders: ['*'],
        MaxAgeSeconds: 60,
      },
    ]
    await client.send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } }))
    expect((await client.send(new GetBucketCorsCommand({ Bucket }))).CORSRules).toEqual(CORSRules)
    const asked = await fetch(`${address}/s3/${Bucket}/any`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example'])
    await client.send(new DeleteBucketCorsCommand({ Bucket }))
    expect(await told(client.send(new GetBucketCorsCommand({ Bucket })))).toBe('NoSuchCORSConfiguration 404')
  })

  it('serves the client of MinIO on a host of its own', async () => {
    const { credentials } = await s3Of(owner, address, stored)
    const minio = new Minio({
      endPoint: 's3.stage.test',
      port: Number(new URL(address).port),
      useSSL: false,
      accessKey: credentials.accessKeyId,
      secretKey: credentials.secretAccessKey,
      pathStyle: true,
      transportAgent: new http.Agent({
        lookup: ((_host: string, options: { all?: boolean }, done: (...given: unknown[]) => void) =>
          options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)) as never,
      }),
    })
    const small = randomBytes(20_000)
    await minio.putObject(Bucket, 'minio/small file.bin', small, small.length, { 'Content-Type': 'x/y' })
    const large = randomBytes(70 * MiB)
    await minio.putObject(Bucket, 'minio/large', large, large.length)
    const read = async (key: string) => Buffer.concat(await (await minio.getObject(Bucket, key)).toArray())
    expect((await read('minio/small file.bin')).equals(small)).toBe(true)
    expect((await read('minio/large')).equals(large)).toBe(true)
    expect((await minio.statObject(Bucket, 'minio/small file.bin')).size).toBe(20_000)
    const names: (string | undefined)[] = []
    for await (const one of minio.listObjectsV2(Bucket, 'minio/', true)) names.push((one as { name?: string }).name)
    expect(names).toEqual(['minio/large', 'minio/small file.bin'])
    const signed = await minio.presignedGetObject(Bucket, 'minio/small file.bin', 60)
    const answered = await fetchAt(address, signed)
    expect([answered.status, answered.bytes.equals(small)]).toEqual([200, true])
    await minio.removeObjects(
      Bucket,
      names.map(name => name ?? ''),
    )
    expect(await minio.bucketExists(Bucket)).toBe(true)
  }, 60_000)
})

/** A signed address of the other host, asked of the stage. */
function fetchAt(address: string, signed: string): Promise<{ status: number; bytes: Buffer }> {
  const url = new URL(signed)
  return new Promise((resolve, reject) => {
    http
      .get(new URL(url.pathname + url.search, address), { headers: { host: url.host } }, answer => {
        const chunks: Buffer[] = []
        answer.on('data', chunk => chunks.push(chunk))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(chunks) }))
      })
      .on('error', reject)
  })
}
