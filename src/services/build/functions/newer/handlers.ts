import { asker } from '../../../../server/asking.ts'
import type { Context } from '../../../../server/context.ts'
import { implement, type WireAccess } from '../../../../server/implement.ts'
import { objectUploads } from '../../../ground/files/uploads/contract.ts'
import { downloadOf } from '../code/downloading.ts'
import { functionsNewer } from './contract.ts'
import {
  type Asker,
  changeCode,
  changeConfig,
  createFunction,
  deleteFunction,
  listFunctions,
  packageOf,
  showCode,
  showConfig,
} from './functions.ts'
import { proxyCall } from './proxy.ts'
import { changeTrigger, createTrigger, deleteTrigger, deleteTriggers, listTriggers, showTrigger } from './triggers.ts'

const as = (ctx: Context, wire: WireAccess): Asker => ({ ctx, ask: asker(ctx, wire) })

export default implement(functionsNewer, {
  listNewerFunctions: async (ctx, { query }, wire) => {
    const { projectId, marker, maxitems: pageSize = 20, func_name: keyword } = query
    return listFunctions(as(ctx, wire), projectId, { marker, pageSize, keyword })
  },
  createNewerFunction: async (ctx, { query, body }, wire) => createFunction(as(ctx, wire), query.projectId, body),
  deleteNewerFunction: async (ctx, { params }, wire) => {
    await deleteFunction(as(ctx, wire), params.urn)
    return {}
  },
  showFunctionCode: async (ctx, { params }, wire) => showCode(as(ctx, wire), params.urn),
  changeFunctionCode: async (ctx, { params, body }, wire) => changeCode(as(ctx, wire), params.urn, body),
  showFunctionConfig: async (ctx, { params }, wire) => showConfig(as(ctx, wire), params.urn),
  changeFunctionConfig: async (ctx, { params, body }, wire) => changeConfig(as(ctx, wire), params.urn, body),

  listTriggersOfUrn: async (ctx, { params }, wire) => {
    const list = await listTriggers(as(ctx, wire), params.urn)
    return { total: list.length, list, nextCursor: null }
  },
  createTriggerOfUrn: async (ctx, { params, body }, wire) => createTrigger(as(ctx, wire), params.urn, body),
  deleteTriggersOfUrn: async (ctx, { params }, wire) => {
    await deleteTriggers(as(ctx, wire), params.urn)
    return {}
  },
  showTriggerOfUrn: async (ctx, { params: { urn, triggerTypeCode, triggerId } }, wire) =>
    showTrigger(as(ctx, wire), urn, triggerTypeCode, triggerId),
  changeTriggerOfUrn: async (ctx, { params: { urn, triggerTypeCode: typeCode, triggerId }, body }, wire) =>
    changeTrigger(as(ctx, wire), urn, { typeCode, triggerId }, body),
  deleteTriggerOfUrn: async (ctx, { params: { urn, triggerTypeCode, triggerId } }, wire) => {
    await deleteTrigger(as(ctx, wire), urn, triggerTypeCode, triggerId)
    return {}
  },

  uploadFunctionObject: async (ctx, { body: { file_name: fileName, ...body } }, wire) => {
    const wish = { ...body, fileName, bizTag: 'tmp' as const }
    const { urlInfo } = await asker(ctx, wire)(objectUploads, 'makeAddress', { body: wish })
    const { objectId, url, method, headers, expireAt } = urlInfo
    const expires_in = Math.max(0, Math.floor((expireAt - ctx.now()) / 1000))
    return { object_key: objectId, upload_url: url, method, headers, expires_in }
  },
  downloadFunctionObject: async (ctx, { body }, wire) => downloadOf(ctx, await packageOf(as(ctx, wire), body.func_urn)),
  proxyFunction: async (ctx, { params, query, body }) =>
    proxyCall(ctx, { projectId: query.projectId, functionName: params.functionName }, body),
})
