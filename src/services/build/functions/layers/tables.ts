import { integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../../server/columns.ts'

/** Packages that functions share, by name. */
export const layers = pgTable(
  'fn_layers',
  {
    layerId: id().primaryKey(),
    teamId: teamId(),
    /** Where it was made; one of scope `TEAM` is for the team's other projects in the zone, too. */
    projectId: id().notNull(),
    name: text().notNull(),
    scope: text({ enum: ['PROJECT', 'TEAM'] }).notNull(),
    description: text().notNull().default(''),
    runtimes: jsonb().$type<('nodejs24' | 'isolate')[]>().notNull(),
    lastNumber: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('fn_layers_by_name').on(table.projectId, table.name),
    uniqueIndex('fn_layers_of_team').on(table.teamId, table.layerId),
  ],
)

/** What a layer was at one time; never changed. */
export const layerVersions = pgTable(
  'fn_layer_versions',
  {
    layerId: id().notNull(),
    teamId: teamId(),
    number: integer().notNull(),
    description: text().notNull(),
    sha256: text().notNull(),
    sizeBytes: count().notNull(),
    unpackedBytes: count().notNull(),
    createdAt: instant().notNull(),
    createdBy: id(),
  },
  table => [primaryKey({ columns: [table.layerId, table.number] })],
)
