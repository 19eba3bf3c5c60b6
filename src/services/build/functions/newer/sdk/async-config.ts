import type { Answer } from '../../../../../kernel/contract.ts'
import { refuse } from '../../../../../kernel/errors.ts'
import { integer, nullable, optional, type Static, shape, text } from '../../../../../kernel/shape.ts'
import { functionQueue } from '../../queue/contract.ts'
import { readTarget, settingLimits, usualSettings } from '../../queue/rules.ts'
import { newerErrors as errors } from '../contract.ts'
import { namedBy } from '../functions.ts'
import { readUrn, urnOf } from '../rules.ts'
import { type Asked, bare, withBody } from './asked.ts'

const Destination = optional(
  nullable(shape({ destination: text(40), param: text(2000) }, { additionalProperties: true })),
)
const Wish = shape(
  {
    max_async_event_age_in_seconds: optional(nullable(integer(...settingLimits.maxAgeSec))),
    max_async_retry_attempts: optional(nullable(integer(...settingLimits.maxRetry))),
    destination_config: optional(
      nullable(shape({ on_success: Destination, on_failure: Destination }, { additionalProperties: true })),
    ),
  },
  { additionalProperties: true },
)
type Settings = Answer<typeof functionQueue.calls.getAsyncConfig>['asyncConfig']
type Ours = Settings['onSuccess']
type Theirs = Static<typeof Destination>

const urnIn = (param: string, name: string): string => {
  try {
    return String((JSON.parse(param) as Record<string, unknown>)[name] ?? '')
  } catch {
    return ''
  }
}

/** Functions, topics and files are told here; nothing else is. */
function readDestination({ ctx, projectId }: Asked, wish: Theirs | undefined): Ours {
  if (!wish) return null
  if (wish.destination === 'SMN') {
    const topic = urnIn(wish.param, 'topic_urn')
    return { kind: 'EVENT', target: topic.slice(topic.lastIndexOf(':') + 1) }
  }
  if (wish.destination === 'OBS') {
    const [bucket, prefix] = [urnIn(wish.param, 'bucket'), urnIn(wish.param, 'prefix')]
    return { kind: 'STORAGE', target: prefix === '' ? bucket : `${bucket}/${prefix}` }
  }
  if (wish.destination !== 'FunctionGraph') refuse(errors.notHere, { what: `the destination ${wish.destination}` })
  const urn = urnIn(wish.param, 'func_urn')
  const name = readUrn(ctx.zone, urn)
  if (name?.projectId !== projectId) return refuse(errors.noUrn, { urn })
  return { kind: 'FUNCTION', target: `${name.functionName}:${name.qualifier}` }
}

function writeDestination({ ctx, projectId }: Asked, ours: Ours) {
  if (!ours) return null
  if (ours.kind === 'EVENT') return { destination: 'SMN', param: JSON.stringify({ topic_urn: ours.target }) }
  if (ours.kind === 'STORAGE') {
    const [bucket = '', ...folders] = ours.target.split('/')
    return { destination: 'OBS', param: JSON.stringify({ bucket, prefix: folders.join('/') }) }
  }
  // Their words know no people.
  if (ours.kind === 'ALARM') return null
  const { name, qualifier } = readTarget(ours.target)
  const func_urn = urnOf(ctx.zone, { projectId, functionName: name, qualifier })
  return { destination: 'FunctionGraph', param: JSON.stringify({ func_urn }) }
}

function viewOf(asked: Asked, urn: string, settings: Settings) {
  const { maxAgeSec, maxRetry, onSuccess, onFailure, updatedAt } = settings
  return {
    func_urn: urn,
    ...{ max_async_event_age_in_seconds: maxAgeSec, max_async_retry_attempts: maxRetry },
    destination_config: {
      on_success: writeDestination(asked, onSuccess),
      on_failure: writeDestination(asked, onFailure),
    },
    last_modified: updatedAt === null ? null : new Date(updatedAt).toISOString(),
  }
}

async function settingsOf(asked: Asked) {
  const urn = asked.params['urn'] ?? ''
  const { row, qualifier } = await namedBy(asked, urn)
  const params = { functionId: row.functionId }
  const { asyncConfig } = await asked.ask(functionQueue, 'getAsyncConfig', { params, query: { qualifier } })
  return { urn, params, qualifier, asyncConfig }
}

export const showAsyncConfig = bare(async asked => {
  const { urn, asyncConfig } = await settingsOf(asked)
  return viewOf(asked, urn, asyncConfig)
})

type Wanted = Partial<Pick<Settings, 'maxRetry' | 'maxAgeSec' | 'onSuccess' | 'onFailure'>>

async function put(asked: Asked, wantedOf: (now: Settings) => Wanted) {
  const { urn, params, qualifier, asyncConfig } = await settingsOf(asked)
  const { maxRetry, maxAgeSec, onSuccess, onFailure, revision } = { ...asyncConfig, ...wantedOf(asyncConfig) }
  const body = { qualifier, maxRetry, maxAgeSec, onSuccess, onFailure, revision: revision ?? undefined }
  const put = await asked.ask(functionQueue, 'putAsyncConfig', { params, body: body as never })
  return viewOf(asked, urn, put.asyncConfig)
}

export const changeAsyncConfig = withBody({ body: Wish }, async (asked, body) => {
  const { max_async_event_age_in_seconds: maxAgeSec, max_async_retry_attempts: maxRetry } = body
  const { on_success, on_failure } = body.destination_config ?? {}
  return put(asked, now => ({
    ...(maxAgeSec == null ? {} : { maxAgeSec }),
    ...(maxRetry == null ? {} : { maxRetry }),
    onSuccess: readDestination(asked, on_success),
    // People who are told cannot be said in these words: they are told as before, unless another is named.
    onFailure: readDestination(asked, on_failure) ?? (now.onFailure?.kind === 'ALARM' ? now.onFailure : null),
  }))
})

export const resetAsyncConfig = bare(async asked => {
  await put(asked, () => usualSettings)
  return null
})
