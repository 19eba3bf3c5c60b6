import { implement } from '../../../../../server/implement.ts'
import { functionsIde } from '../../contract.ts'
import { limits } from '../../rules.ts'
import { ChangedCode, ChangedConfig, ChangedTrigger, NewFunction, NewTrigger } from '../contract.ts'
import {
  changeCode,
  changeConfig,
  createFunction,
  deleteFunction,
  listFunctions,
  showCode,
  showConfig,
} from '../functions.ts'
import { changeTrigger, createTrigger, deleteTrigger, deleteTriggers, listTriggers, showTrigger } from '../triggers.ts'
import { type Asked, bare, pageSizeOf, withBody } from './asked.ts'
import { changeAsyncConfig, resetAsyncConfig, showAsyncConfig } from './async-config.ts'
import { cancelLater, invokeLater, invokeNow, listLater } from './calling.ts'
import { functionsSdk } from './contract.ts'
import { changeEvent, createEvent, deleteEvent, listEvents, showEvent } from './events.ts'
import { listReserveConfigs, listReserved, reserve, setMost } from './instances.ts'
import {
  changeAlias,
  createAlias,
  deleteAlias,
  listAliases,
  listVersions,
  publishVersion,
  showAlias,
} from './versions.ts'

const urn = ({ params }: Asked) => params['urn'] ?? ''
const trigger = ({ params }: Asked) => ({ typeCode: params['typeCode'] ?? '', triggerId: params['triggerId'] ?? '' })
const codeLimit = 2 * limits.inlineBytes + 65_536
const done = async (work: Promise<void>) => {
  await work
  return null
}

export default implement(functionsSdk, {
  sdkListFunctions: bare(asked => {
    const { marker, func_name: keyword } = asked.query
    return listFunctions(asked, asked.projectId, { marker, keyword, pageSize: pageSizeOf(asked.query, 'maxitems') })
  }),
  sdkCreateFunction: withBody({ body: NewFunction, limitBytes: codeLimit }, (asked, body) =>
    createFunction(asked, asked.projectId, body),
  ),
  sdkDeleteFunction: bare(asked => done(deleteFunction(asked, urn(asked)))),
  sdkShowConfig: bare(asked => showConfig(asked, urn(asked))),
  sdkChangeConfig: withBody({ body: ChangedConfig }, (asked, body) => changeConfig(asked, urn(asked), body)),
  sdkShowCode: bare(asked => showCode(asked, urn(asked))),
  sdkChangeCode: withBody({ body: ChangedCode, limitBytes: codeLimit }, (asked, body) =>
    changeCode(asked, urn(asked), body),
  ),
  sdkInvoke: invokeNow,
  sdkInvokeLater: invokeLater,
  sdkListLater: listLater,
  sdkCancelLater: cancelLater,
  sdkShowAsyncConfig: showAsyncConfig,
  sdkChangeAsyncConfig: changeAsyncConfig,
  sdkResetAsyncConfig: resetAsyncConfig,
  sdkPublishVersion: publishVersion,
  sdkListVersions: listVersions,
  sdkListAliases: listAliases,
  sdkCreateAlias: createAlias,
  sdkShowAlias: showAlias,
  sdkChangeAlias: changeAlias,
  sdkDeleteAlias: deleteAlias,
  sdkListTriggers: bare(asked => listTriggers(asked, urn(asked))),
  sdkCreateTrigger: withBody({ body: NewTrigger, status: 201 }, (asked, body) =>
    createTrigger(asked, urn(asked), body),
  ),
  sdkDeleteTriggers: bare(asked => done(deleteTriggers(asked, urn(asked)))),
  sdkShowTrigger: bare(asked => {
    const { typeCode, triggerId } = trigger(asked)
    return showTrigger(asked, urn(asked), typeCode, triggerId)
  }),
  sdkChangeTrigger: withBody({ body: ChangedTrigger }, (asked, body) =>
    changeTrigger(asked, urn(asked), trigger(asked), body),
  ),
  sdkDeleteTrigger: bare(asked => {
    const { typeCode, triggerId } = trigger(asked)
    return done(deleteTrigger(asked, urn(asked), typeCode, triggerId))
  }),
  sdkReserve: reserve,
  sdkSetMost: setMost,
  sdkListReserved: listReserved,
  sdkListReserveConfigs: listReserveConfigs,
  sdkListEvents: listEvents,
  sdkCreateEvent: createEvent,
  sdkShowEvent: showEvent,
  sdkChangeEvent: changeEvent,
  sdkDeleteEvent: deleteEvent,
  sdkListQuotas: bare(async asked => {
    const { projectId } = asked
    const { quotas } = await asked.ask(functionsIde, 'getTenant', { query: { projectId } })
    const names: Record<string, string> = { functions: 'fgs_func_num', codeBytes: 'fgs_func_code_size' }
    const resources = quotas.map(({ metric, limit: quota, used }) => ({ type: names[metric] ?? metric, quota, used }))
    return { quotas: { resources } }
  }),
})
