import { asker, asking } from '../../../../server/asking.ts'
import { implement } from '../../../../server/implement.ts'
import { functionAliases } from '../aliases/contract.ts'
import { functionsIde } from '../contract.ts'
import { loadControls } from '../governance/controls.ts'
import { copiesOf } from '../pool/copies.ts'
import { runtimeOf } from '../pool/runtime.ts'
import { loadFunction, projectHere } from '../queries.ts'
import { latest } from '../rules.ts'
import { functionScaling } from '../scaling/contract.ts'
import { functionManage } from './contract.ts'
import { imagesOf } from './images.ts'

export default implement(functionManage, {
  listManagedFunctions: asking((ask, { query }) => ask(functionsIde, 'listFunctions', { query })),
  getManagedFunction: asking((ask, { query: params }) => ask(functionsIde, 'getFunction', { params })),
  createManagedFunction: asking((ask, { body }) => {
    const { files, fileKey, zip, ...bare } = body
    const hasCode = files !== undefined || fileKey !== undefined || zip !== undefined
    return hasCode
      ? ask(functionsIde, 'createFunctionWithCode', { body })
      : ask(functionsIde, 'createFunction', { body: bare })
  }),
  updateManagedFunction: asking((ask, { body: { functionId, ...body } }) =>
    ask(functionsIde, 'updateFunction', { params: { functionId }, body }),
  ),
  deleteManagedFunction: asking((ask, { query: { functionId, ...query } }) =>
    ask(functionsIde, 'deleteFunction', { params: { functionId }, query }),
  ),
  uploadManagedCode: asking((ask, { body: { functionId, ...body } }) =>
    ask(functionsIde, 'updateCode', { params: { functionId }, body }),
  ),

  listManagedVersions: async (ctx, { query }, wire) => {
    const { functionName: name, projectId } = await ctx.transact(inner => loadFunction(inner, query.functionId))
    return asker(ctx, wire)(functionsIde, 'listVersions', { params: { name }, query: { projectId } })
  },

  listManagedAliases: asking((ask, { query: params }) => ask(functionAliases, 'listAliases', { params })),
  getManagedAlias: asking((ask, { query: params }) => ask(functionAliases, 'getAlias', { params })),
  createManagedAlias: asking((ask, { body: { functionId, ...body } }) =>
    ask(functionAliases, 'createAlias', { params: { functionId }, body }),
  ),
  updateManagedAlias: asking((ask, { body: { functionId, name, ...body } }) =>
    ask(functionAliases, 'updateAlias', { params: { functionId, name }, body }),
  ),
  deleteManagedAlias: asking((ask, { query: params }) => ask(functionAliases, 'deleteAlias', { params })),

  listManagedInstances: async (ctx, { query }) => {
    const { functionId } = await loadFunction(ctx, query.functionId)
    const list = await copiesOf(ctx.server, { functionId })
    return { total: list.length, list, nextCursor: null }
  },

  getVersionInstances: async (ctx, { query: { functionId, qualifier = latest } }, wire) => {
    const config = await asker(ctx, wire)(functionScaling, 'getManagerConfig', {
      params: { functionId },
      query: { qualifier },
    })
    const versions = await ctx.transact(async inner => (await loadControls(inner, functionId)).versionsOf(qualifier))
    const list = await copiesOf(ctx.server, { functionId, versions })
    return { config, total: list.length, list, nextCursor: null }
  },

  setVersionInstances: asking(async (ask, { body: { functionId, ...body } }) => ({
    config: await ask(functionScaling, 'setManagerConfig', { params: { functionId }, body }),
  })),

  listImages: async (ctx, { query }) => {
    await projectHere(ctx, query.projectId)
    const { isThere: canRun, why = null, install = null } = await runtimeOf(ctx.server).support('image')
    const list = await imagesOf(ctx, query.projectId)
    return { support: { canRun, why, install }, total: list.length, list, nextCursor: null }
  },
})
