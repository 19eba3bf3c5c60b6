import { type CallSpec, service } from '../../../../kernel/contract.ts'
import {
  Id,
  Instant,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  Revision,
  shape,
  text,
} from '../../../../kernel/shape.ts'
import { functionErrors } from '../contract.ts'
import { aliasPattern } from '../rules.ts'

const VersionName = pattern('^(\\$latest|[1-9][0-9]{0,8})$', 20, '3')
const AliasName = pattern(aliasPattern, 63, 'live')

const Rule = shape({
  type: oneOf(['HEADER', 'COOKIE']),
  param: text(100, 1),
  op: oneOf(['=', 'in']),
  /** For `in`, values with commas between. */
  value: text(1000, 1),
})

const Additional = shape({
  version: VersionName,
  mode: oneOf(['WEIGHT', 'RULE']),
  weight: optional(integer(0, 100)),
  combine: optional(oneOf(['AND', 'OR'])),
  rules: optional(list(Rule, { minItems: 1, maxItems: 10 })),
})

const Alias = shape({
  name: text(63),
  version: text(20),
  additional: nullable(Additional),
  description: text(512),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Revision,
})

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
const edit = { who: 'cp', may: 'functions.edit' } as const satisfies Partial<CallSpec>
const one = shape({ functionId: Id, name: AliasName })
const Count = integer(0, 1000)

/** Names that lead to versions, and may lead a part of the calls to a second one. */
export const functionAliases = service({
  name: 'build/functions',
  prefix: '/fgs/ide-service/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: {
    noVersion: functionErrors.noVersion,
    tooMany: functionErrors.tooMany,
    inUse: functionErrors.inUse,
    canaryRuns: functionErrors.canaryRuns,
  },
  calls: {
    listAliases: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/aliases',
      summary: 'Aliases of a function',
      params: shape({ functionId: Id }),
      answer: shape({ total: Count, list: list(Alias), nextCursor: nullable(text(64)) }),
    },
    createAlias: {
      ...edit,
      method: 'POST',
      path: '/function/:functionId/aliases',
      summary: 'A new alias',
      params: shape({ functionId: Id }),
      body: shape({
        name: AliasName,
        version: VersionName,
        additional: optional(nullable(Additional)),
        description: optional(text(512)),
      }),
      answer: shape({ alias: Alias }),
    },
    getAlias: {
      ...read,
      method: 'GET',
      path: '/function/:functionId/aliases/:name',
      summary: 'One alias',
      params: one,
      answer: shape({ alias: Alias }),
    },
    updateAlias: {
      ...edit,
      method: 'PUT',
      path: '/function/:functionId/aliases/:name',
      summary: 'Leads an alias to other versions, at once for every call that comes after',
      params: one,
      body: shape({
        revision: Revision,
        version: VersionName,
        additional: optional(nullable(Additional)),
        description: optional(text(512)),
      }),
      answer: shape({ alias: Alias }),
    },
    deleteAlias: {
      ...edit,
      method: 'DELETE',
      path: '/function/:functionId/aliases/:name',
      summary: 'Takes an alias away',
      params: one,
    },
  },
})
