import { cloudDb } from '../src/services/build/cloud-db/contract.ts'
import { cloudDbObjects } from '../src/services/build/cloud-db/objects/contract.ts'
import type { Visitor } from './loggia.ts'

/** A cloud database with a type, rows, a bin, and a type and a zone that were deleted; the pages that show them, and one of a project without. */
export async function openCloudDb(owner: Visitor, projectId: string): Promise<string[]> {
  await owner.ok(cloudDb, 'switchProduct', { body: { projectId, enabled: true, agree: true } })
  await owner.ok(cloudDb, 'createZone', { body: { projectId, name: 'main' } })
  const objectType = {
    objectTypeName: 'Article',
    fields: [
      { fieldName: 'id', fieldType: 'String' as const, belongPrimaryKey: true },
      { fieldName: 'title', fieldType: 'String' as const, notNull: true, defaultValue: 'Untitled' },
      { fieldName: 'words', fieldType: 'Integer' as const },
      { fieldName: 'published', fieldType: 'Date' as const },
      { fieldName: 'body', fieldType: 'Text' as const },
    ],
    indexes: [{ indexName: 'byWords', indexList: [{ fieldName: 'words', sortType: 'DESC' as const }] }],
    permissions: [],
  }
  await owner.ok(cloudDb, 'createObjectType', { body: { projectId, objectType } })
  await owner.ok(cloudDb, 'setRetentionPeriod', { body: { projectId, enabled: true, days: 7 } })
  const place = { projectId, cloudDBZoneName: 'main', objectTypeName: 'Article' }
  for (const [at, title] of ['Lighthouses', 'Harbours', 'Beacons'].entries()) {
    const object = {
      id: `a${at}`,
      title,
      words: 400 * (at + 1),
      published: 1_780_000_000_000,
      body: 'A text. '.repeat(60),
    }
    await owner.ok(cloudDbObjects, 'putObject', { body: { ...place, operation: 'INSERT', object } })
  }
  await owner.ok(cloudDb, 'createZone', { body: { projectId, name: 'old' } })
  await owner.ok(cloudDb, 'deleteZone', { query: { projectId, name: 'old', confirm: 'old' } })
  const draft = { ...objectType, objectTypeName: 'Draft' }
  await owner.ok(cloudDb, 'createObjectType', { body: { projectId, objectType: draft } })
  await owner.ok(cloudDb, 'deleteObjectType', { query: { projectId, name: 'Draft', confirm: 'Draft' } })
  const of = `projectId=${projectId}&zone=CN`
  return ['types', 'data', 'zones', 'transfers', 'live', 'usage'].map(tab => `/cloud-db?${of}&tab=${tab}`)
}
