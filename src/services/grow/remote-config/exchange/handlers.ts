import { randomBytes } from 'node:crypto'
import { Ajv } from 'ajv'
import { refuse } from '../../../../kernel/errors.ts'
import { implement } from '../../../../server/implement.ts'
import { problemsFor } from '../checking.ts'
import { remoteConfigErrors as errors, TemplateShape } from '../contract.ts'
import { contentOf, draftOf, lockTemplate, placeOf, record, rowOf, writeDraft } from '../drafts.ts'
import { emptyTemplate, type Template } from '../rules.ts'
import { contentOfVersion } from '../versions.ts'
import { remoteConfigExchange } from './contract.ts'
import { importFirebase } from './firebase.ts'
import { type Imported, Unreadable } from './imported.ts'
import { importUnleash } from './unleash.ts'

const isTemplate = new Ajv({ strict: false }).compile<Template>(TemplateShape)
const mostTold = 500
const seedOf = () => randomBytes(8).toString('hex')

export default implement(remoteConfigExchange, {
  exportTemplate: async (ctx, { query }) => {
    const where = await placeOf(ctx, query)
    const row = await rowOf(ctx, where)
    const isDraft = query.of !== 'published'
    const published = () => (row && row.version > 0 ? contentOfVersion(ctx, where, row.version) : emptyTemplate())
    const content = isDraft && row ? contentOf(row.draft) : await published()
    const name = `remote-config-${where.kind}-${isDraft ? 'draft' : (row?.version ?? 0)}.json`
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    }
    return { headers, body: `${JSON.stringify(content, null, 2)}\n` }
  },

  importTemplate: async (ctx, { body }) => {
    const where = await placeOf(ctx, body)
    const imported = read(body.format, body.file)
    const row = await lockTemplate(ctx, where)
    const before = contentOf(row.draft)
    const next = body.mode === 'replace' ? imported.template : merged(before, imported.template)
    const problems = await problemsFor(ctx, where.projectId, next)
    const isDone = problems.length === 0 && body.isTrial !== true
    if (isDone) {
      await writeDraft(ctx, where, draftOf(next, row.revision + 1, row.draft))
      record(ctx, where, 'imported', { format: body.format, notMapped: imported.notMapped.length })
    }
    return {
      ...{ ok: problems.length === 0, problems, isDone },
      parameters: Object.keys(imported.template.parameters).length,
      conditions: imported.template.conditions.length,
      groups: Object.keys(imported.template.groups).length,
      notMapped: imported.notMapped.slice(0, mostTold),
      notes: imported.notes.slice(0, mostTold),
    }
  },
})

function read(format: 'loggia' | 'firebase' | 'unleash', file: unknown): Imported {
  try {
    if (format === 'firebase') return importFirebase(file, seedOf)
    if (format === 'unleash') return importUnleash(file, seedOf)
    if (isTemplate(file)) return { template: file, notMapped: [], notes: [] }
    const [first] = isTemplate.errors ?? []
    throw new Unreadable(`${first?.instancePath || '/'} ${first?.message}`)
  } catch (error) {
    if (error instanceof Unreadable) refuse(errors.unreadable, { format, reason: error.message })
    throw error
  }
}

/** What the file names is as the file says, seeds of conditions that were there excepted; the rest stays. */
function merged(before: Template, file: Template): Template {
  const named = new Map(file.conditions.map(one => [one.name, one]))
  const known = new Set(before.conditions.map(one => one.name))
  return {
    conditions: [
      ...before.conditions.map(one => ({ ...(named.get(one.name) ?? one), seed: one.seed })),
      ...file.conditions.filter(one => !known.has(one.name)),
    ],
    parameters: { ...before.parameters, ...file.parameters },
    groups: { ...before.groups, ...file.groups },
  }
}
