import { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { implement } from '../../../../server/implement.ts'
import { readObject, storeObject } from '../../../ground/files/public.ts'
import { openDatabase, typeOf, zoneOf } from '../catalogue.ts'
import { processOf, startProcess } from '../processes.ts'
import { limits } from '../schema/rules.ts'
import { cloudDbTransfer as contract, leastPassphrase } from './contract.ts'
import { sealKey } from './export.ts'
import { readWhole } from './formats.ts'
import { newFileKey, opened } from './sealed-file.ts'

const importDeadlineMs = 3_600_000
const exportDeadlineMs = 6 * 3_600_000

/** The key, sealed: the job opens it, and the passphrase is kept nowhere. */
async function fileKey(ctx: Context, projectId: string, passphrase = '') {
  if (passphrase.length < leastPassphrase) refuse(contract.errors.passphraseNeeded, { least: leastPassphrase })
  return sealKey(ctx.server.masterKey, projectId, await newFileKey(passphrase))
}

/** The file itself; refuses a passphrase that does not open it. */
async function bytesOf({ content, passphrase }: { content: string; passphrase?: string | undefined }): Promise<Buffer> {
  if (passphrase === undefined) return Buffer.from(content, 'utf8')
  return opened(passphrase, Buffer.from(content, 'base64'))
}

export default implement(contract, {
  exportFile: async (ctx, { body }) => {
    const { projectId, format, conditions = [], encrypt = false } = body
    const database = await openDatabase(ctx, projectId)
    if (body.zones.length === 0 || body.types.length === 0) refuse(contract.errors.exportNothing)
    const zones = [...new Set(body.zones.map(name => zoneOf(database, name).name))]
    const types = [...new Set(body.types.map(name => typeOf(database, name).name))]
    const key = encrypt ? await fileKey(ctx, projectId, body.passphrase) : null
    const processId = await startProcess(ctx, {
      projectId,
      kind: 'EXPORT',
      job: 'cloudDb.export',
      subject: `${types.join(', ')} (${zones.join(', ')}), ${format}`,
      input: { zones, types, format, conditions, ...(key && { key }) },
      deadlineMs: exportDeadlineMs,
    })
    ctx.audit({
      action: 'cloudDb.export',
      entity: 'project',
      entityId: projectId,
      after: { zones, types, format, encrypt },
    })
    return { processId }
  },

  importFile: async (ctx, { body }) => {
    const { projectId, format, mode, dryRun = false } = body
    const database = await ctx.transact(inner => openDatabase(inner, projectId))
    const bytes = await bytesOf(body)
    if (bytes.length > limits.importBytes) refuse(contract.errors.importTooLarge, { limitBytes: limits.importBytes })
    const said = format === 'JSON' ? readWhole(bytes.toString('utf8')) : {}
    const zoneName = body.cloudDBZoneName ?? said.cloudDBZoneName
    const typeName = body.objectTypeName ?? said.objectTypeName
    if (typeof zoneName !== 'string' || typeof typeName !== 'string') return refuse(contract.errors.importPlace)
    const zone = zoneOf(database, zoneName).name
    const type = typeOf(database, typeName).name
    const object = await storeObject(ctx, {
      stream: Readable.from([bytes]),
      fileName: `import.${format.toLowerCase()}`,
      bizTag: 'tmp',
      limitBytes: limits.importBytes,
      heldFor: { appId: '0', projectId },
    })
    return ctx.transact(async inner => {
      const processId = await startProcess(inner, {
        projectId,
        kind: 'IMPORT',
        job: 'cloudDb.import',
        subject: `${body.fileName ?? format} → ${zone} / ${type}`,
        input: { zone, type, format, mode, dryRun, objectId: object.objectId },
        deadlineMs: importDeadlineMs,
      })
      inner.audit({
        action: 'cloudDb.import',
        entity: 'project',
        entityId: projectId,
        after: { zone, type, format, mode, dryRun },
      })
      return { processId }
    })
  },

  getProcessFile: async (ctx, { query }) => {
    await openDatabase(ctx, query.projectId)
    const { objectIds } = await processOf(ctx, query.projectId, query.processId)
    if (!objectIds.includes(query.objectId)) refuse(contract.errors.noFile, { objectId: query.objectId })
    const { object, stream } = await readObject(ctx, query.objectId)
    return {
      headers: {
        'content-type': 'application/octet-stream',
        'content-length': object.sizeBytes,
        'content-disposition': `attachment; filename="${object.fileName}"`,
        'x-content-type-options': 'nosniff',
      },
      body: stream,
    }
  },
})
