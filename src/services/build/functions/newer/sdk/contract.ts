import { type CallSpec, type RefusalForm, service } from '../../../../../kernel/contract.ts'
import { shape, text } from '../../../../../kernel/shape.ts'
import { recordOf } from '../../contract.ts'
import { newerErrors } from '../contract.ts'

/** The public kit reads these names, and the status. */
const refusal: RefusalForm = ({ status, number, message, detail }, { method, id }) => {
  const request_id = recordOf({ detail }, id)
  const { fields } = detail as { fields?: { pointer: string; message: string }[] }
  const faults = (fields ?? []).map(one => `${one.pointer} ${one.message}`)
  const error_msg = [message, ...faults].join(' ')
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': request_id,
      ...(status === 429 || status === 503 ? { 'retry-after': Number(detail['retryAfterSeconds'] ?? 1) } : {}),
    },
    body: method === 'HEAD' ? null : JSON.stringify({ error_code: String(number), error_msg, request_id }),
  }
}

const open = {
  who: 'anonymous',
  may: 'none',
  kind: 'protocol',
  transaction: false,
} as const satisfies Partial<CallSpec>

/** Ids of others are not there, whatever they look like: the handler says so once it knows who asks. */
const Part = text(220, 1)
const ofProject = { ...open, params: shape({ projectId: Part }) } as const
const ofFunction = { ...open, params: shape({ projectId: Part, urn: Part }) } as const
const ofAlias = { ...open, params: shape({ projectId: Part, urn: Part, alias: Part }) } as const
const ofEvent = { ...open, params: shape({ projectId: Part, urn: Part, eventId: Part }) } as const
const ofTrigger = { ...open, params: shape({ projectId: Part, urn: Part, typeCode: Part, triggerId: Part }) } as const

const all = '/:projectId/fgs/functions'
const one = `${all}/:urn` as const
const triggers = '/:projectId/fgs/triggers/:urn'

/** Functions as the field's public kit asks for them, signed with a key of the project. */
export const functionsSdk = service({
  name: 'build/functions',
  prefix: '/v2',
  zone: 'current',
  permissions: [],
  errors: newerErrors,
  refusal,
  calls: {
    sdkListFunctions: { ...ofProject, method: 'GET', path: all, summary: 'Kit: functions of the project' },
    sdkCreateFunction: { ...ofProject, method: 'POST', path: all, summary: 'Kit: a new function' },
    sdkDeleteFunction: { ...ofFunction, method: 'DELETE', path: one, summary: 'Kit: deletes a version or a function' },
    sdkShowConfig: { ...ofFunction, method: 'GET', path: `${one}/config`, summary: 'Kit: settings of a version' },
    sdkChangeConfig: { ...ofFunction, method: 'PUT', path: `${one}/config`, summary: 'Kit: changes settings' },
    sdkShowCode: { ...ofFunction, method: 'GET', path: `${one}/code`, summary: 'Kit: the package of a version' },
    sdkChangeCode: { ...ofFunction, method: 'PUT', path: `${one}/code`, summary: 'Kit: changes the code' },
    sdkInvoke: {
      ...{ ...ofFunction, rate: 'data', method: 'POST', path: `${one}/invocations` },
      summary: 'Kit: calls a function and waits',
    },
    sdkInvokeLater: {
      ...{ ...ofFunction, rate: 'data', method: 'POST', path: `${one}/invocations-async` },
      summary: 'Kit: has a function called later',
    },
    sdkListLater: {
      ...{ ...ofFunction, method: 'GET', path: `${one}/async-invocations` },
      summary: 'Kit: asynchronous calls and what became of them',
    },
    sdkCancelLater: {
      ...ofFunction,
      method: 'POST',
      path: `${one}/cancel`,
      summary: 'Kit: gives up a call that waits',
    },
    sdkShowAsyncConfig: {
      ...{ ...ofFunction, method: 'GET', path: `${one}/async-invoke-config` },
      summary: 'Kit: how asynchronous calls are made',
    },
    sdkChangeAsyncConfig: {
      ...{ ...ofFunction, method: 'PUT', path: `${one}/async-invoke-config` },
      summary: 'Kit: changes how asynchronous calls are made',
    },
    sdkResetAsyncConfig: {
      ...{ ...ofFunction, method: 'DELETE', path: `${one}/async-invoke-config` },
      summary: 'Kit: asynchronous calls are made as usual again',
    },
    sdkPublishVersion: { ...ofFunction, method: 'POST', path: `${one}/versions`, summary: 'Kit: publishes a version' },
    sdkListVersions: { ...ofFunction, method: 'GET', path: `${one}/versions`, summary: 'Kit: versions of a function' },
    sdkListAliases: { ...ofFunction, method: 'GET', path: `${one}/aliases`, summary: 'Kit: aliases of a function' },
    sdkCreateAlias: { ...ofFunction, method: 'POST', path: `${one}/aliases`, summary: 'Kit: a new alias' },
    sdkShowAlias: { ...ofAlias, method: 'GET', path: `${one}/aliases/:alias`, summary: 'Kit: one alias' },
    sdkChangeAlias: {
      ...ofAlias,
      method: 'PUT',
      path: `${one}/aliases/:alias`,
      summary: 'Kit: leads an alias elsewhere',
    },
    sdkDeleteAlias: { ...ofAlias, method: 'DELETE', path: `${one}/aliases/:alias`, summary: 'Kit: deletes an alias' },
    sdkListTriggers: { ...ofFunction, method: 'GET', path: triggers, summary: 'Kit: triggers of a version' },
    sdkCreateTrigger: { ...ofFunction, method: 'POST', path: triggers, summary: 'Kit: a new trigger' },
    sdkDeleteTriggers: { ...ofFunction, method: 'DELETE', path: triggers, summary: 'Kit: deletes all triggers' },
    sdkShowTrigger: {
      ...{ ...ofTrigger, method: 'GET', path: `${triggers}/:typeCode/:triggerId` },
      summary: 'Kit: one trigger',
    },
    sdkChangeTrigger: {
      ...{ ...ofTrigger, method: 'PUT', path: `${triggers}/:typeCode/:triggerId` },
      summary: 'Kit: changes a trigger',
    },
    sdkDeleteTrigger: {
      ...{ ...ofTrigger, method: 'DELETE', path: `${triggers}/:typeCode/:triggerId` },
      summary: 'Kit: deletes a trigger',
    },
    sdkReserve: {
      ...{ ...ofFunction, method: 'PUT', path: `${one}/reservedinstances` },
      summary: 'Kit: how many copies of a version are always there',
    },
    sdkSetMost: {
      ...{ ...ofFunction, method: 'PUT', path: `${one}/config-max-instance` },
      summary: 'Kit: how many copies there are at most',
    },
    sdkListReserved: {
      ...{ ...ofProject, method: 'GET', path: `${all}/reservedinstances` },
      summary: 'Kit: how many copies are always there',
    },
    sdkListReserveConfigs: {
      ...{ ...ofProject, method: 'GET', path: `${all}/reservedinstanceconfigs` },
      summary: 'Kit: what is set of copies that are always there',
    },
    sdkListEvents: { ...ofFunction, method: 'GET', path: `${one}/events`, summary: 'Kit: test events of a function' },
    sdkCreateEvent: { ...ofFunction, method: 'POST', path: `${one}/events`, summary: 'Kit: keeps a test event' },
    sdkShowEvent: { ...ofEvent, method: 'GET', path: `${one}/events/:eventId`, summary: 'Kit: one test event' },
    sdkChangeEvent: { ...ofEvent, method: 'PUT', path: `${one}/events/:eventId`, summary: 'Kit: changes a test event' },
    sdkDeleteEvent: {
      ...ofEvent,
      method: 'DELETE',
      path: `${one}/events/:eventId`,
      summary: 'Kit: deletes a test event',
    },
    sdkListQuotas: {
      ...{ ...ofProject, method: 'GET', path: '/:projectId/fgs/quotas' },
      summary: 'Kit: what a project may have, and has',
    },
  },
})
