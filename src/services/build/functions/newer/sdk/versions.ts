import type { Answer } from '../../../../../kernel/contract.ts'
import { refuse } from '../../../../../kernel/errors.ts'
import type { Static } from '../../../../../kernel/shape.ts'
import { integer, nullable, oneOf, optional, shape, Type, text } from '../../../../../kernel/shape.ts'
import { badField } from '../../../../../server/http/problem.ts'
import { functionAliases } from '../../aliases/contract.ts'
import { functionsIde } from '../../contract.ts'
import { newerErrors as errors } from '../contract.ts'
import { namedBy, type Shown, showConfig, viewsOf } from '../functions.ts'
import { qualifierOf, urnOf, versionName } from '../rules.ts'
import { type Asked, bare, withBody } from './asked.ts'

const Publish = shape(
  { digest: optional(nullable(text(64))), version: optional(nullable(text(64))), description: optional(text(512)) },
  { additionalProperties: true },
)

export const publishVersion = withBody({ body: Publish }, async (asked, { digest, version, description }) => {
  if (version) refuse(errors.numbered)
  const { row, projectId, functionName } = await namedBy(asked, asked.params['urn'] ?? '')
  const body = { functionId: row.functionId, description, expectedDigest: digest || undefined } as never
  const made = await asked.ask(functionsIde, 'publishVersion', { body })
  const view = await showConfig(asked, urnOf(asked.ctx.zone, { projectId, functionName, qualifier: made.version }))
  return { ...view, version_description: view.description }
})

export const listVersions = bare(async asked => {
  const { row, projectId, functionName } = await namedBy(asked, asked.params['urn'] ?? '')
  const wanted = { params: { name: functionName }, query: { projectId } }
  const { list } = await asked.ask(functionsIde, 'listVersions', wanted)
  const shown: Shown[] = list.map(one => ({
    ...{ functionId: row.functionId, projectId, functionName, ...one },
    ...{ updatedAt: one.publishedAt ?? row.updatedAt, qualifier: one.version },
  }))
  return { versions: await viewsOf(asked, shown), next_marker: null, count: list.length }
})

const Weights = Type.Record(Type.String(), integer(0, 100))
const Strategy = Type.Record(
  Type.String(),
  shape(
    {
      combine_type: optional(oneOf(['and', 'or'])),
      rules: Type.Array(
        shape({
          rule_type: oneOf(['Header', 'Cookie']),
          param: text(100, 1),
          op: oneOf(['=', 'in']),
          value: text(1000, 1),
        }),
        { minItems: 1, maxItems: 10 },
      ),
    },
    { additionalProperties: true },
  ),
)
const AliasFields = {
  version: text(20, 1),
  description: optional(nullable(text(512))),
  additional_version_weights: optional(nullable(Weights)),
  additional_version_strategy: optional(nullable(Strategy)),
}
const NewAlias = shape({ name: text(63, 1), ...AliasFields }, { additionalProperties: true })
const ChangedAlias = shape(AliasFields, { additionalProperties: true })
type AliasWishes = Static<typeof ChangedAlias>
type Alias = Answer<typeof functionAliases.calls.getAlias>['alias']

/** The second version of an alias: by a share, or by rules. */
function additionalOf({ additional_version_weights: weights, additional_version_strategy: strategy }: AliasWishes) {
  const shares = Object.entries(weights ?? {})
  const ruled = Object.entries(strategy ?? {})
  if (shares.length + ruled.length > 1)
    throw badField(
      '/additional_version_weights',
      'maxItems',
      'an alias leads to one second version, by a share or by rules',
    )
  const [share] = shares
  if (share) return { version: qualifierOf(share[0]), mode: 'WEIGHT' as const, weight: share[1] }
  const [rule] = ruled
  if (!rule) return null
  const [version, { combine_type = 'and', rules }] = rule
  return {
    ...{ version: qualifierOf(version), mode: 'RULE' as const, combine: combine_type === 'and' ? 'AND' : 'OR' },
    rules: rules.map(({ rule_type, ...one }) => ({ ...one, type: rule_type === 'Header' ? 'HEADER' : 'COOKIE' })),
  }
}

function aliasView(asked: Asked, functionName: string, alias: Alias) {
  const { name, version, additional, description, updatedAt } = alias
  const { projectId, ctx } = asked
  const rules = additional?.rules?.map(({ type, ...one }) => ({
    ...one,
    rule_type: type === 'HEADER' ? 'Header' : 'Cookie',
  }))
  return {
    ...{ name, version: versionName(version), description, last_modified: new Date(updatedAt).toISOString() },
    alias_urn: urnOf(ctx.zone, { projectId, functionName, qualifier: name }),
    additional_version_weights: additional?.mode === 'WEIGHT' ? { [additional.version]: additional.weight } : null,
    additional_version_strategy:
      additional?.mode === 'RULE'
        ? { [additional.version]: { combine_type: additional.combine === 'OR' ? 'or' : 'and', rules } }
        : null,
  }
}

const ofAlias = async (asked: Asked) => {
  const { row, functionName } = await namedBy(asked, asked.params['urn'] ?? '')
  return { functionName, params: { functionId: row.functionId, name: asked.params['alias'] ?? '' } }
}

export const listAliases = bare(async asked => {
  const { row, functionName } = await namedBy(asked, asked.params['urn'] ?? '')
  const { list } = await asked.ask(functionAliases, 'listAliases', { params: { functionId: row.functionId } })
  return list.map(one => aliasView(asked, functionName, one))
})

export const createAlias = withBody({ body: NewAlias }, async (asked, body) => {
  const { row, functionName } = await namedBy(asked, asked.params['urn'] ?? '')
  const { name, version, description } = body
  const made = await asked.ask(functionAliases, 'createAlias', {
    params: { functionId: row.functionId },
    body: {
      ...{ name, version: qualifierOf(version), additional: additionalOf(body) as never },
      description: description ?? '',
    },
  })
  return aliasView(asked, functionName, made.alias)
})

export const showAlias = bare(async asked => {
  const { functionName, params } = await ofAlias(asked)
  return aliasView(asked, functionName, (await asked.ask(functionAliases, 'getAlias', { params })).alias)
})

export const changeAlias = withBody({ body: ChangedAlias }, async (asked, body) => {
  const { functionName, params } = await ofAlias(asked)
  const { alias: before } = await asked.ask(functionAliases, 'getAlias', { params })
  const wish = {
    ...{ revision: before.revision, version: qualifierOf(body.version), additional: additionalOf(body) },
    description: body.description ?? undefined,
  }
  const { alias } = await asked.ask(functionAliases, 'updateAlias', { params, body: wish as never })
  return aliasView(asked, functionName, alias)
})

export const deleteAlias = bare(async asked => {
  const { params } = await ofAlias(asked)
  await asked.ask(functionAliases, 'deleteAlias', { params })
  return null
})
