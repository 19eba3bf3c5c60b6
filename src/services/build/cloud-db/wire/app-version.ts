import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../../../kernel/errors.ts'
import { systemContext } from '../../../../server/context.ts'
import type { Server } from '../../../../server/server.ts'
import { cloudDb } from '../contract.ts'
import { modelOf, type Place, type TypeModel } from '../model.ts'
import type { SeenField } from '../objects/read.ts'
import { dataErrors } from '../objects/rules.ts'
import { toWire } from '../objects/values.ts'
import { defaultOf } from '../objects/write.ts'
import type { ObjectType } from '../schema/contract.ts'
import { keyOf } from '../schema/rules.ts'

/** The version of the schema that an app was built with; absent: the one of now. */
const header = 'appver'
const mostRemembered = 1_000
type Schema = ReadonlyMap<string, TypeModel>

export interface AppSchema {
  version: number
  types: Schema
}

/** Versions never change once they are made. */
const remembered = new WeakMap<Server, Map<string, Promise<Schema | null>>>()

type Where = Omit<Place, 'type'>

/** Types as the app knows them; null where it knows those of now. */
export async function appSchemaOf(
  { server, zone, database }: Where,
  headers: IncomingHttpHeaders,
): Promise<AppSchema | null> {
  const sent = headers[header]
  if (sent === undefined || sent === '') return null
  const { projectId, schemaVersion } = database
  if (typeof sent !== 'string' || !/^[0-9]{1,9}$/.test(sent) || Number(sent) > schemaVersion) {
    refuse(dataErrors.badParameter, { reason: `appVer is a version of the schema, at most ${schemaVersion}` })
  }
  if (Number(sent) === schemaVersion) return null
  const kept = remembered.get(server) ?? new Map<string, Promise<Schema | null>>()
  remembered.set(server, kept)
  const key = `${projectId} ${sent}`
  let schema = kept.get(key)
  if (!schema) {
    schema = readSchema(server, zone, projectId, Number(sent))
    if (kept.size >= mostRemembered) kept.clear()
    kept.set(key, schema)
    schema.catch(() => kept.delete(key))
  }
  const types = (await schema) ?? refuse(cloudDb.errors.schemaChanged, { version: schemaVersion })
  return { version: Number(sent), types }
}

async function readSchema(server: Server, zone: Place['zone'], projectId: string, version: number) {
  const ctx = systemContext(server, zone, { name: 'cloud-db', scope: 'all' })
  const { rows } = await ctx.transact(inner =>
    inner.transaction(zone).query<{ object_types: ObjectType[] }>({
      name: 'clouddb schema of an app',
      text: 'SELECT object_types FROM cdb_schema_versions WHERE project_id = $1 AND version = $2',
      values: [projectId, version],
    }),
  )
  return rows[0] ? new Map(rows[0].object_types.map(type => [keyOf(type.objectTypeName), modelOf(type)])) : null
}

/** A type as an older app knows it: what came later is hidden, what is gone is as it is when nothing was put in. */
export class AppType {
  readonly version: number
  readonly #now: TypeModel
  readonly #then: TypeModel

  constructor(now: TypeModel, { version, types }: AppSchema) {
    this.version = version
    this.#now = now
    this.#then = types.get(now.key) ?? refuse(cloudDb.errors.noType, { name: now.name })
  }

  /** The fields of an answer. */
  get fields(): SeenField[] {
    return this.#then.columns.map(column => {
      const now = this.#now.byName.get(column.name)
      const isSame = now?.type === column.type
      return { name: column.name, column: isSame ? now : null, absent: toWire(column, defaultOf(this.#then, column)) }
    })
  }

  /** Refuses a condition on what the app does not know. */
  assertConditions(conditions: readonly unknown[]): void {
    for (const one of conditions) {
      const field = (one as { fieldName?: unknown } | null)?.fieldName
      if (typeof field === 'string' && !this.#then.byName.has(field))
        refuse(dataErrors.noSuchField, { typeName: this.#now.name, field })
    }
  }

  /** What an app writes without what is gone by now; refuses what it does not know. */
  written(sent: unknown): unknown {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent
    const known = Object.entries(sent).filter(([name]) => {
      if (name === 'naturalbase_version') return true
      const then =
        this.#then.byName.get(name) ?? refuse(dataErrors.unknownField, { typeName: this.#now.name, field: name })
      return this.#now.byName.get(name)?.type === then.type
    })
    return Object.fromEntries(known)
  }
}
