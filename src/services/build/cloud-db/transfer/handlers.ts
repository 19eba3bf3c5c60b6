import { Readable } from 'node:stream'
import { refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { readObject, storeObject } from '../../../ground/files/public.ts'
import { openDatabase, typeOf, zoneOf } from '../catalogue.ts'
import { processOf, startProcess } from '../processes.ts'
import { limits } from '../schema/rules.ts'
import { cloudDbTransfer as contract } from './contract.ts'
import { readWhole } from './formats.ts'

const importDeadlineMs = 3_600_000
const exportDeadlineMs = 6 * 3_600_000

export default implement(contract, {
  exportFile: async (ctx, { body }) => {
    const { projectId, format, conditions = [] } = body
    const database = await openDatabase(ctx, projectId)
    if (body.zones.length === 0 || body.types.length === 0) refuse(contract.errors.exportNothing)
    const zones = [...new Set(body.zones.map(name => zoneOf(database, name).name))]
    const types = [...new Set(body.types.map(name => typeOf(database, name).name))]
    const processId = await startProcess(ctx, {
      projectId,
      kind: 'EXPORT',
      job: 'cloudDb.export',
      subject: `${types.join(', ')} (${zones.join(', ')}), ${format}`,
      input: { zones, types, format, conditions },
      deadlineMs: exportDeadlineMs,
    })
    ctx.audit({ action: 'cloudDb.export', entity: 'project', entityId: projectId, after: { zones, types, format } })
    return { processId }
  },

  importFile: async (ctx, { body }) => {
    const { projectId, format, mode, content, dryRun = false } = body
    const database = await ctx.transact(inner => openDatabase(inner, projectId))
    const said = format === 'JSON' ? readWhole(content) : {}
    const zoneName = body.cloudDBZoneName ?? said.cloudDBZoneName
    const typeName = body.objectTypeName ?? said.objectTypeName
    if (typeof zoneName !== 'string' || typeof typeName !== 'string') return refuse(contract.errors.importPlace)
    const zone = zoneOf(database, zoneName).name
    const type = typeOf(database, typeName).name
    const object = await storeObject(ctx, {
      stream: Readable.from([Buffer.from(content, 'utf8')]),
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
