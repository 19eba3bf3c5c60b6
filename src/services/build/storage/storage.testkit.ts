import { S3Client } from '@aws-sdk/client-s3'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { projects } from '../../ground/projects/contract.ts'
import { storage } from './contract.ts'
import { storageKeys } from './keys/contract.ts'

let made = 0

export interface Stored {
  projectId: string
  bucketId: string
}

/** A project with cloud storage and its first bucket, without the ends that free projects have. */
export async function newStorage(stage: Stage, owner: Person, level: 'FREE' | 'PAID' = 'PAID'): Promise<Stored> {
  const { projectId } = await owner.ok(projects, 'createProject', { body: { name: `Stored ${++made}` } })
  const { bucketId } = await owner.ok(storage, 'initData', { body: { projectId, bucketName: `bucket-${made}` } })
  await setLevel(stage, { projectId, bucketId }, level)
  return { projectId, bucketId }
}

/** What billing will do. */
export async function setLevel(stage: Stage, { projectId, bucketId }: Stored, level: string, zone: 'CN' | 'DE' = 'CN') {
  await stage.sql(zone, 'UPDATE storage_services SET level = $2 WHERE project_id = $1', [projectId, level])
  await stage.sql(zone, `SELECT pg_notify('storage_buckets', '')`)
  stage.booted.server.signals.tellHere(zone, 'storage_buckets', bucketId)
}

/** A client of AWS's own kit with a new key of the project. */
export async function s3Of(owner: Person, address: string, { projectId }: Stored, more: object = {}) {
  const { key, secretAccessKey } = await owner.ok(storageKeys, 'createKey', {
    body: { projectId, name: 'Tests', ...more },
  })
  const credentials = { accessKeyId: key.accessKeyId, secretAccessKey }
  const client = new S3Client({
    endpoint: `${address}/s3`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials,
    maxAttempts: 1,
  })
  return { client, credentials }
}
