import { commonErrors, refuse } from '../../../../../kernel/errors.ts'
import { shape, text } from '../../../../../kernel/shape.ts'
import { badField } from '../../../../../server/http/problem.ts'
import { limits } from '../../rules.ts'
import { functionTesting } from '../../testing/contract.ts'
import { namedBy } from '../functions.ts'
import { isBase64 } from '../rules.ts'
import { type Asked, bare, withBody } from './asked.ts'

/** Names may hold spaces, so the id that stands in addresses is another writing of the name. */
const idOf = (name: string) => Buffer.from(name).toString('base64url')
const nameOf = ({ params }: Asked) => Buffer.from(params['eventId'] ?? '', 'base64url').toString('utf8')

const Content = text(2 * limits.testEventBytes, 1)
const Event = shape({ name: text(64, 1), content: Content }, { additionalProperties: true })
const Changed = shape({ content: Content }, { additionalProperties: true })

function contentOf(base64: string): string {
  if (!isBase64(base64)) throw badField('/content', 'base64', 'must be base64 of the JSON of the event')
  return Buffer.from(base64, 'base64').toString('utf8')
}

async function eventsOf(asked: Asked) {
  const { row } = await namedBy(asked, asked.params['urn'] ?? '')
  const params = { functionId: row.functionId }
  return { params, list: (await asked.ask(functionTesting, 'listTestEvents', { params })).list }
}

const shown = ({ name, updatedAt }: { name: string; updatedAt: number }) => ({
  ...{ id: idOf(name), name },
  last_modified: Math.floor(updatedAt / 1000),
})

async function oneOf(asked: Asked) {
  const { params, list } = await eventsOf(asked)
  const name = nameOf(asked)
  const found = list.find(one => one.name === name)
  return { params, event: found ?? refuse(commonErrors.notFound, { entity: 'test event', id: name.slice(0, 64) }) }
}

export const listEvents = bare(async asked => {
  const { list } = await eventsOf(asked)
  return { events: list.map(shown), count: list.length, next_marker: null }
})

export const createEvent = withBody({ body: Event }, async (asked, { name, content }) => {
  const { row } = await namedBy(asked, asked.params['urn'] ?? '')
  const params = { functionId: row.functionId, name }
  const { event } = await asked.ask(functionTesting, 'createTestEvent', {
    params,
    body: { content: contentOf(content) },
  })
  return shown(event)
})

export const showEvent = bare(async asked => {
  const { event } = await oneOf(asked)
  return { ...shown(event), content: Buffer.from(event.content).toString('base64') }
})

export const changeEvent = withBody({ body: Changed }, async (asked, { content }) => {
  const { params, event } = await oneOf(asked)
  const wish = { params: { ...params, name: event.name }, body: { content: contentOf(content) } }
  return shown((await asked.ask(functionTesting, 'updateTestEvent', wish)).event)
})

export const deleteEvent = bare(async asked => {
  const { params, event } = await oneOf(asked)
  await asked.ask(functionTesting, 'deleteTestEvent', { params: { ...params, name: event.name } })
  return null
})
