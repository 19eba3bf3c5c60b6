import { randomBytes } from 'node:crypto'
import type { Person, Stage } from '../../../testkit/stage.ts'
import { newClient, tokenOf } from '../../ground/api-clients/clients.testkit.ts'
import { type AppOnDevice, openApp } from '../app-auth/app-auth.testkit.ts'
import { cloudDb } from './contract.ts'
import type { FieldOf, IndexOf, ObjectType } from './schema/contract.ts'
import { defaultPermissions, type Right, type Role, roles } from './schema/rules.ts'

export interface WireReply {
  status: number
  body: Record<string, never> & { data: Record<string, unknown>[]; errorCodeV2?: string; message?: string }
  headers: Record<string, unknown>
}

/** A project with its cloud database on, one data zone, an app and a server. */
export interface OpenedDb {
  owner: Person
  projectId: string
  app: AppOnDevice
  zone: string
  client: { clientId: string; secret: string }
  serverHeaders: Record<string, string>
  /** A call as the team's server. */
  asServer(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object,
    headers?: Record<string, string>,
  ): Promise<WireReply>
  /** The same as a device with the token of a user, or of nobody. */
  as(
    user: { headers: Record<string, string> },
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: object,
  ): Promise<WireReply>
  /** Somebody signed in to the app. */
  user(): Promise<{ uid: string; headers: Record<string, string> }>
  nobody(): Promise<{ headers: Record<string, string> }>
  newType(type: ObjectType): Promise<number>
}

export const field = (fieldName: string, fieldType: FieldOf['fieldType'], more: Partial<FieldOf> = {}): FieldOf => ({
  fieldName,
  fieldType,
  ...more,
})

export const key = (fieldName: string, fieldType: FieldOf['fieldType'] = 'String'): FieldOf =>
  field(fieldName, fieldType, { belongPrimaryKey: true })

export const typed = (objectTypeName: string, fields: FieldOf[], indexes: IndexOf[] = []): ObjectType => ({
  objectTypeName,
  fields,
  indexes,
  permissions: defaultPermissions.map(one => ({ role: one.role, rights: [...one.rights] })),
})

/** A matrix as letters: `{ World: 'R', Creator: 'RUD' }`; what is not named has nothing. */
export function matrix(given: Partial<Record<Role, string>>): ObjectType['permissions'] {
  const letters: Record<Right, string> = { Read: 'R', Upsert: 'U', Delete: 'D' }
  return roles.map(role => ({
    role,
    rights: (['Read', 'Upsert', 'Delete'] as const).filter(right => given[role]?.includes(letters[right])),
  }))
}

export const indexOn = (indexName: string, ...fields: string[]): IndexOf => ({
  indexName,
  indexList: fields.map(one => ({ fieldName: one.replace(/^-/, ''), sortType: one.startsWith('-') ? 'DESC' : 'ASC' })),
})

export const where = (conditionType: string, fieldName?: string, value?: unknown) => ({
  conditionType,
  ...(fieldName !== undefined && { fieldName }),
  ...(value !== undefined && { value }),
})

export const limit = (number: number, offset?: number) => ({ conditionType: 'Limit', value: { number, offset } })

export async function openDb(stage: Stage): Promise<OpenedDb> {
  const app = await openApp(stage)
  const { owner, projectId } = app
  await owner.ok(cloudDb, 'switchProduct', { body: { projectId, enabled: true, agree: true } })
  await owner.ok(cloudDb, 'createZone', { body: { projectId, name: 'main' } })
  const client = await newClient(owner, { permissions: ['appAuth.server'] })
  const token = await tokenOf(stage.app, client)
  const serverHeaders = { authorization: `Bearer ${token}`, productid: projectId }
  const send = async (
    prefix: string,
    headers: Record<string, string>,
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    payload: object,
  ) => {
    const reply = await stage.app.inject({ method, url: `${prefix}${path}`, headers, payload })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers } as WireReply
  }
  const device = await app.install()
  const base = { authorization: `Bearer ${device.clientToken}`, productid: projectId }
  let people = 0
  return {
    owner,
    projectId,
    app,
    zone: 'main',
    client,
    serverHeaders,
    asServer: (method, path, body, headers = {}) =>
      send('/api/clouddb/clouddbservice', { ...serverHeaders, ...headers }, method, path, body),
    as: ({ headers }, method, path, body) => send('/agc/apigw/clouddb/clouddbservice', headers, method, path, body),
    user: async () => {
      const { uid, accessToken } = await device.signUp(`u${people++}.${randomBytes(4).toString('hex')}@example.com`)
      return { uid, headers: { ...base, access_token: accessToken } }
    },
    nobody: async () => ({ headers: base }),
    newType: async objectType => {
      const { version } = await owner.ok(cloudDb, 'createObjectType', { body: { projectId, objectType } })
      return version
    },
  }
}

/** What every write and query names. */
export const at = (objectTypeName: string, cloudDBZoneName = 'main') => ({ objectTypeName, cloudDBZoneName })

export const putAll = (db: OpenedDb, type: string, objects: object[], operationType = 0) =>
  db.asServer('POST', '/v3/syncObjects', { ...at(type), objects, operationType })

export const queryAll = (db: OpenedDb, type: string, ...queryConditions: object[]) =>
  db.asServer('POST', '/v4/objects/queries', { ...at(type), queryConditions })
