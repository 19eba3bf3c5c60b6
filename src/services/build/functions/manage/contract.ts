import { type CallSpec, service } from '../../../../kernel/contract.ts'
import { flag, Id, integer, list, nullable, optional, shape, text } from '../../../../kernel/shape.ts'
import { functionAliases } from '../aliases/contract.ts'
import { functionErrors, functionsIde, Qualifier } from '../contract.ts'
import { imageLimits } from '../images/rules.ts'
import { limits } from '../rules.ts'
import { functionScaling } from '../scaling/contract.ts'

const read = { who: 'cp', may: 'functions.read' } as const satisfies Partial<CallSpec>
/** Each is another call in other words, and commits with it. */
const view = { ...read, transaction: false } as const
const change = { ...view, may: 'functions.edit' } as const
const ofFunction = shape({ functionId: Id })
const ofQualifier = shape({ functionId: Id, qualifier: optional(Qualifier) })
const ide = functionsIde.calls
const alias = functionAliases.calls
const ofAlias = alias.getAlias.params.properties

const Copy = shape({ ...ide.listPods.answer.properties.list.items.properties, version: text(20) })
const Copies = { total: integer(0, 100_000), list: list(Copy), nextCursor: nullable(text(20)) }

/** Functions in the words of the container service: the same functions, aliases, versions and copies. */
export const functionManage = service({
  name: 'build/functions',
  prefix: '/caas/function-manage/v1',
  zone: 'current',
  permissions: ['functions.read', 'functions.edit'],
  errors: { noFunction: functionErrors.noFunction, noVersion: functionErrors.noVersion },
  calls: {
    listManagedFunctions: {
      ...view,
      method: 'GET',
      path: '/functions',
      summary: 'Functions of a project, the newest first',
      query: ide.listFunctions.query,
      answer: ide.listFunctions.answer,
    },
    getManagedFunction: {
      ...view,
      method: 'GET',
      path: '/function',
      summary: 'One function as it is now',
      query: ofFunction,
      answer: ide.getFunction.answer,
    },
    createManagedFunction: {
      ...change,
      method: 'POST',
      path: '/function',
      summary: 'A new function; without code it greets',
      bodyLimit: 2 * limits.inlineBytes,
      body: ide.createFunctionWithCode.body,
      answer: ide.createFunctionWithCode.answer,
    },
    updateManagedFunction: {
      ...change,
      method: 'PUT',
      path: '/function',
      summary: 'Changes the configuration; it is started once first',
      body: shape({ functionId: Id, ...ide.updateFunction.body.properties }),
      answer: ide.updateFunction.answer,
    },
    deleteManagedFunction: {
      ...change,
      method: 'DELETE',
      path: '/function',
      summary: 'Deletes a version, or the function with everything of it',
      query: shape({ functionId: Id, ...ide.deleteFunction.query.properties }),
    },
    uploadManagedCode: {
      ...change,
      method: 'POST',
      path: '/function/code/upload',
      summary: 'Changes the code; it is started once first',
      bodyLimit: 2 * limits.inlineBytes,
      body: shape({ functionId: Id, ...ide.updateCode.body.properties }),
      answer: ide.updateCode.answer,
    },
    listManagedVersions: {
      ...view,
      method: 'GET',
      path: '/versions',
      summary: 'Versions of a function, `$latest` first',
      query: ofFunction,
      answer: ide.listVersions.answer,
    },
    listManagedAliases: {
      ...view,
      method: 'GET',
      path: '/aliases',
      summary: 'Aliases of a function',
      query: ofFunction,
      answer: alias.listAliases.answer,
    },
    getManagedAlias: {
      ...view,
      method: 'GET',
      path: '/alias',
      summary: 'One alias',
      query: shape(ofAlias),
      answer: alias.getAlias.answer,
    },
    createManagedAlias: {
      ...change,
      method: 'POST',
      path: '/alias',
      summary: 'A new alias',
      body: shape({ functionId: Id, ...alias.createAlias.body.properties }),
      answer: alias.createAlias.answer,
    },
    updateManagedAlias: {
      ...change,
      method: 'PUT',
      path: '/alias',
      summary: 'Leads an alias to other versions',
      body: shape({ ...ofAlias, ...alias.updateAlias.body.properties }),
      answer: alias.updateAlias.answer,
    },
    deleteManagedAlias: {
      ...change,
      method: 'DELETE',
      path: '/alias',
      summary: 'Takes an alias away',
      query: shape(ofAlias),
    },
    listManagedInstances: {
      ...read,
      method: 'GET',
      path: '/function/instances',
      summary: 'The copies of every version that run now on this server',
      query: ofFunction,
      answer: shape(Copies),
    },
    getVersionInstances: {
      ...view,
      method: 'GET',
      path: '/function/version/instance',
      summary: 'How many copies of a version or alias there may be, and those that run now',
      query: ofQualifier,
      answer: shape({ config: functionScaling.calls.getManagerConfig.answer, ...Copies }),
    },
    setVersionInstances: {
      ...change,
      method: 'PUT',
      path: '/function/version/instance',
      summary: 'Sets how many copies of a version or alias there may be',
      body: shape({ functionId: Id, ...functionScaling.calls.setManagerConfig.body.properties }),
      answer: shape({ config: functionScaling.calls.setManagerConfig.answer }),
    },
    listImages: {
      ...read,
      method: 'GET',
      path: '/images',
      summary: 'Images that functions of a project run from, and what is missing here to run them',
      query: shape({ projectId: Id }),
      answer: shape({
        support: shape({ canRun: flag(), why: nullable(text(300)), install: nullable(text(300)) }),
        total: integer(0, 100_000),
        list: list(
          shape({
            /** Its digest. */
            imageId: text(71),
            repository: text(imageLimits.reference),
            tag: nullable(text(128)),
            usedBy: list(shape({ functionName: text(63), version: text(20) })),
          }),
        ),
        nextCursor: nullable(text(20)),
      }),
    },
  },
})
