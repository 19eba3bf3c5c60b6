import { type CallSpec, type RefusalForm, service } from '../../../../kernel/contract.ts'
import { commonErrors } from '../../../../kernel/errors.ts'
import { integer, optional, shape, Type, text } from '../../../../kernel/shape.ts'
import { limits } from '../schema/rules.ts'

/** What the public client knows our own numbers by. */
const known = new Map<number, number>([
  [commonErrors.badInput[0], 3007008],
  [commonErrors.wrongType[0], 3007006],
  [commonErrors.tooMany[0], 3007009],
  [commonErrors.tooLarge[0], 2001020],
  [commonErrors.internal[0], 3007999],
  [commonErrors.unavailable[0], 3007999],
  [commonErrors.noSession[0], 3007004],
  [commonErrors.sessionExpired[0], 3007004],
  [commonErrors.tokenInvalid[0], 3007004],
  [commonErrors.tokenExpired[0], 3007004],
])

const refusal: RefusalForm = ({ status, number, message, detail }, { id }) => {
  const fields = detail['fields'] as { pointer: string; message: string }[] | undefined
  const { decisionId, retryAfterSeconds } = detail as { decisionId?: string; retryAfterSeconds?: number }
  const told = fields?.length ? `${message} ${fields.map(one => `${one.pointer} ${one.message}`).join('; ')}` : message
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(decisionId !== undefined && { 'x-decision-id': decisionId }),
      ...(retryAfterSeconds !== undefined && { 'retry-after': retryAfterSeconds }),
    },
    body: JSON.stringify({
      ret: { code: number, msg: message },
      errorCodeV2: String(known.get(number) ?? number),
      message: told.slice(0, 2000),
      requestId: id,
    }),
  }
}

const Names = { cloudDBZoneName: text(60, 1), objectTypeName: text(60, 1) }
/** What is in a row is read against its type. */
const Rows = Type.Array(Type.Unknown())
const Conditions = Type.Array(Type.Unknown())
const open = {
  who: 'anonymous',
  may: 'none',
  kind: 'protocol',
  transaction: false,
  rate: 'data',
  bodyLimit: limits.writeBytes + 1_048_576,
} as const satisfies Partial<CallSpec>

const calls = {
  putObjects: {
    ...open,
    method: 'POST',
    path: '/v3/syncObjects',
    summary: 'Upserts (0) or inserts (1) rows, all or none',
    body: shape({ ...Names, objects: Rows, operationType: optional(integer(0, 1)) }),
  },
  deleteObjects: {
    ...open,
    method: 'DELETE',
    path: '/v3/syncObjects',
    summary: 'Deletes rows by their keys, all or none',
    body: shape({ ...Names, objects: Rows }),
  },
  deleteAllObjects: {
    ...open,
    method: 'DELETE',
    path: '/v3/syncAllObjects',
    summary: 'Deletes every row of a type in a zone; for servers',
    body: shape({ ...Names, objects: optional(Rows) }),
  },
  queryObjects: {
    ...open,
    method: 'POST',
    path: '/v4/objects/queries',
    summary: 'Rows or aggregates that conditions find and the caller may see',
    body: shape({ ...Names, queryConditions: Conditions }),
  },
  queryForTransaction: {
    ...open,
    method: 'POST',
    path: '/v4/syncObjects/queries',
    summary: 'Rows with the versions that a transaction will verify',
    body: shape({ ...Names, queryConditions: Conditions }),
  },
  transact: {
    ...open,
    method: 'POST',
    path: '/v3/transaction',
    summary: 'Verifies that rows are as they were read, and writes',
    body: shape({
      cloudDBZoneName: text(60, 1),
      needVerifyObjectsList: Type.Array(shape({ objectTypeName: text(60, 1), objects: Rows }), { maxItems: 100 }),
      transactionList: Type.Array(shape({ operationType: text(20, 1), objectTypeName: text(60, 1), objects: Rows }), {
        maxItems: 1000,
      }),
    }),
  },
  updateObject: {
    ...open,
    method: 'PUT',
    path: '/v4/object',
    summary: 'Counts up and sets fields of one row where it still is as conditions say',
    body: shape({
      ...Names,
      primaryKey: Type.Unknown(),
      increment: optional(Type.Unknown()),
      update: optional(Type.Unknown()),
      conditions: optional(Conditions),
    }),
  },
  getUserKey: {
    ...open,
    method: 'GET',
    path: '/v3/userKey',
    summary: 'The key that the app wrapped for the user who asks; only the app can open it',
  },
  putUserKey: {
    ...open,
    method: 'PUT',
    path: '/v3/userKey',
    summary: 'Keeps the wrapped key of the user who asks; one that is there only with `before`, the one it replaces',
    body: shape({ userKey: text(8192, 1), before: optional(text(8192)) }),
  },
  deleteUserKey: {
    ...open,
    method: 'DELETE',
    path: '/v3/userKey',
    summary: 'Deletes the wrapped key of a user, whose encrypted fields nobody can read then; for servers',
    body: shape({ userId: text(limits.uidLength, 1) }),
  },
} as const

const plane = (prefix: string) =>
  service({ name: 'build/cloud-db', prefix, zone: 'current', permissions: [], errors: {}, refusal, calls })

/** What the public server SDK calls. */
export const cloudGateway = plane('/api/clouddb/clouddbservice')
/** The same for apps: with the token of a user, or of nobody. */
export const deviceGateway = plane('/agc/apigw/clouddb/clouddbservice')
