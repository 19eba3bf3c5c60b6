import { Refusal } from '../../../kernel/errors.ts'
import type { Server } from '../../../server/server.ts'
import type { RuleData, RuleScope } from '../rules/public.ts'
import { databaseOf } from './catalogue.ts'
import type { Place } from './model.ts'
import { administrator, resourceOf, ruleFieldsOf } from './objects/access.ts'
import { findRows, ReadRow } from './objects/read.ts'
import { keyOf } from './schema/rules.ts'

/** How rules look rows up: `clouddb.get(/zone/type/key)` is the row's fields. */
export function ruleDataOf(server: Server): RuleData {
  return {
    read: async (scope, path) => {
      const place = await placeAt(server, scope, path)
      if (!place || path.length !== 2 + place.type.keys.length) return null
      const conditions = place.type.keys.map((key, at) => ({
        conditionType: 'EqualTo',
        fieldName: key.name,
        value: key.type === 'String' || key.isLong ? path[2 + at] : Number(path[2 + at]),
      }))
      const { rows } = await findRows(place, administrator('rules', ''), conditions).catch(error => {
        // A path that is no key of the type names no row.
        if (error instanceof Refusal) return { rows: [] }
        throw error
      })
      const row = rows[0] && new ReadRow(place.type, rows[0])
      if (!row) return null
      const fields = new Map(
        [...ruleFieldsOf(place.type)].flatMap(([name, type]) =>
          name.startsWith('data.') ? [[name.slice(5), type] as const] : [],
        ),
      )
      return { value: resourceOf(place.type, row)['data'] as Record<string, unknown>, fields }
    },
    places: async scope => {
      const database = await databaseOf(server, scope.zone, scope.projectId)
      return [...(database?.zones.values() ?? [])].flatMap(zone =>
        [...(database?.types.values() ?? [])].map(type => ({
          path: [zone.name, type.name],
          fields: ruleFieldsOf(type),
        })),
      )
    },
  }
}

async function placeAt(server: Server, scope: RuleScope, path: readonly string[]): Promise<Place | null> {
  const database = await databaseOf(server, scope.zone, scope.projectId)
  const dataZone = database?.zones.get(keyOf(path[0] ?? ''))
  const type = database?.types.get(keyOf(path[1] ?? ''))
  if (!database || !dataZone || dataZone.name !== path[0] || type?.name !== path[1] || !type) return null
  return { server, zone: scope.zone, database, dataZone, type }
}
