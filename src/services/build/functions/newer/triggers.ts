import type { Answer } from '../../../../kernel/contract.ts'
import { commonErrors, refuse } from '../../../../kernel/errors.ts'
import type { Static } from '../../../../kernel/shape.ts'
import { latest } from '../rules.ts'
import { functionTriggers } from '../triggers/contract.ts'
import { type ChangedTrigger, newerErrors as errors, type NewTrigger, type TriggerView } from './contract.ts'
import { type Asker, namedBy } from './functions.ts'
import { codeOf, kindOf, readEventData, writeEventData } from './trigger-rules.ts'

type View = Static<typeof TriggerView>
type Trigger = Answer<typeof functionTriggers.calls.listTriggers>['list'][number]

function viewOf(trigger: Trigger): View {
  return {
    trigger_id: trigger.triggerId,
    trigger_type_code: codeOf(trigger.typeCode),
    trigger_status: trigger.status,
    event_data: writeEventData(trigger as never),
    created_time: new Date(trigger.createdAt).toISOString(),
    last_updated_time: new Date(trigger.updatedAt).toISOString(),
  }
}

const configOf = (typeCode: string, data: Readonly<Record<string, unknown>>) => {
  const read = readEventData(typeCode, data)
  return 'problem' in read ? refuse(errors.badTrigger, read) : read.config
}

const nameOf = (data: Readonly<Record<string, unknown>>) => {
  const name = data['name'] ?? data['trigger_name']
  return typeof name === 'string' && name !== '' ? name : undefined
}

async function triggersOf(at: Asker, urn: string) {
  const { row, qualifier } = await namedBy(at, urn)
  const { functionId } = row
  const { list } = await at.ask(functionTriggers, 'listTriggers', { params: { functionId }, query: { qualifier } })
  return { functionId, qualifier, list }
}

/** The triggers of the version that a URN names. */
export async function listTriggers(at: Asker, urn: string): Promise<View[]> {
  return (await triggersOf(at, urn)).list.map(viewOf)
}

/** A new trigger of the version that a URN names. */
export async function createTrigger(at: Asker, urn: string, body: Static<typeof NewTrigger>): Promise<View> {
  const { row, qualifier } = await namedBy(at, urn)
  const { trigger_type_code: code, trigger_status, event_data } = body
  const typeCode = kindOf(code) ?? refuse(errors.badTrigger, { problem: `there is no type ${code}` })
  const made = await at.ask(functionTriggers, 'createTrigger', {
    params: { functionId: row.functionId },
    body: {
      ...{ typeCode, qualifier, name: nameOf(event_data) ?? code.toLowerCase() },
      config: configOf(code, event_data) as never,
      isEnabled: trigger_status !== 'DISABLED',
    },
  })
  return viewOf(made.trigger)
}

async function oneOf(at: Asker, urn: string, typeCode: string, triggerId: string) {
  const { functionId, list } = await triggersOf(at, urn)
  const found = list.find(one => one.triggerId === triggerId && one.typeCode === kindOf(typeCode))
  return { functionId, trigger: found ?? refuse(commonErrors.notFound, { entity: 'trigger', id: triggerId }) }
}

/** One trigger. */
export async function showTrigger(at: Asker, urn: string, typeCode: string, triggerId: string): Promise<View> {
  return viewOf((await oneOf(at, urn, typeCode, triggerId)).trigger)
}

/** Changes a trigger, or switches it on or off. */
export async function changeTrigger(
  at: Asker,
  urn: string,
  { typeCode, triggerId }: { typeCode: string; triggerId: string },
  { trigger_status, event_data }: Static<typeof ChangedTrigger>,
): Promise<View> {
  const { functionId, trigger } = await oneOf(at, urn, typeCode, triggerId)
  const isOnlyName = event_data === undefined || Object.keys(event_data).every(key => key === 'name')
  const changed = await at.ask(functionTriggers, 'updateTrigger', {
    params: { functionId },
    body: {
      ...{ triggerId, revision: trigger.revision },
      isEnabled: trigger_status === undefined ? undefined : trigger_status === 'ACTIVE',
      name: event_data && nameOf(event_data),
      config: isOnlyName ? undefined : configOf(typeCode, event_data),
    } as never,
  })
  return viewOf(changed.trigger)
}

/** Takes a trigger away. */
export async function deleteTrigger(at: Asker, urn: string, typeCode: string, triggerId: string): Promise<void> {
  const { functionId } = await oneOf(at, urn, typeCode, triggerId)
  await at.ask(functionTriggers, 'deleteTrigger', { params: { functionId }, body: { triggerId } })
}

/** Takes away all triggers of a version or alias; of the latest, all that the function has. */
export async function deleteTriggers(at: Asker, urn: string): Promise<void> {
  const { row, qualifier } = await namedBy(at, urn)
  const { functionId } = row
  const query = qualifier === latest ? {} : { qualifier }
  const { list } = await at.ask(functionTriggers, 'listTriggers', { params: { functionId }, query })
  for (const { triggerId } of list)
    await at.ask(functionTriggers, 'deleteTrigger', { params: { functionId }, body: { triggerId } })
}
