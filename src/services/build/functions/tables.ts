import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../server/columns.ts'

/** What a version is run with; kept with each version as it was. */
export interface FunctionConfig {
  runtime: 'nodejs24' | 'isolate' | 'image'
  handler: string
  functionType: 0 | 1
  memoryMb: number
  timeoutMs: number
  instanceConcurrency: number
  initHandler: string | null
  initTimeoutMs: number
  env: Record<string, string>
  /** For the runtime `image`, in place of code: as it was named, and the digest that it led to. */
  image?: { reference: string; digest: string }
  /** As they were chosen; left out where none were. */
  layers?: LayerChoice[]
}

/** One version of a layer, with what is needed to run without looking for it. */
export interface LayerChoice {
  layerId: string
  name: string
  number: number
  sha256: string
  unpackedBytes: number
}

export const functions = pgTable(
  'fn_functions',
  {
    functionId: id().primaryKey(),
    teamId: teamId(),
    projectId: id().notNull(),
    functionName: text().notNull(),
    description: text().notNull().default(''),
    config: jsonb().$type<FunctionConfig>().notNull(),
    /** Values of the environment that nobody reads again, by the master key. */
    sealedEnv: text(),
    codeSha256: text().notNull(),
    codeBytes: count().notNull(),
    /** Of code, configuration and secrets: the same means nothing to publish. */
    digest: text().notNull(),
    isEnabled: boolean().notNull().default(true),
    lastVersion: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    uniqueIndex('fn_functions_by_name').on(table.projectId, table.functionName),
    index('fn_functions_of_team').on(table.teamId, table.functionId),
  ],
)

export const functionVersions = pgTable(
  'fn_versions',
  {
    functionId: id().notNull(),
    teamId: teamId(),
    version: integer().notNull(),
    description: text().notNull(),
    config: jsonb().$type<FunctionConfig>().notNull(),
    sealedEnv: text(),
    codeSha256: text().notNull(),
    codeBytes: count().notNull(),
    digest: text().notNull(),
    publishedAt: instant().notNull(),
    publishedBy: id(),
  },
  table => [primaryKey({ columns: [table.functionId, table.version] })],
)

export const functionAliases = pgTable(
  'fn_aliases',
  {
    functionId: id().notNull(),
    teamId: teamId(),
    name: text().notNull(),
    version: text().notNull(),
    /** As `rules.ts` reads it. */
    additional: jsonb().$type<{
      version: string
      mode: 'WEIGHT' | 'RULE'
      weight?: number
      combine?: 'AND' | 'OR'
      rules?: { type: 'HEADER' | 'COOKIE'; param: string; op: '=' | 'in'; value: string }[]
    }>(),
    description: text().notNull().default(''),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [primaryKey({ columns: [table.functionId, table.name] })],
)

/** Events that people try a function with. */
export const testEvents = pgTable(
  'fn_test_events',
  {
    functionId: id().notNull(),
    teamId: teamId(),
    name: text().notNull(),
    content: text().notNull(),
    updatedAt: instant().notNull(),
  },
  table => [primaryKey({ columns: [table.functionId, table.name] })],
)

/** One call of a function, written when it has ended. */
/** Calls, each by itself: those that went as most go are in `callsAlike`. `recordedCalls` has them all. */
export const invocations = pgTable(
  'fn_invocations',
  {
    requestId: id().notNull(),
    functionId: id().notNull(),
    teamId: teamId(),
    projectId: id().notNull(),
    qualifier: text().notNull(),
    version: text().notNull(),
    source: text({ enum: ['TEST', 'APP', 'CONSOLE', 'TRIGGER', 'FUNCTION'] }).notNull(),
    outcome: text({ enum: ['SUCCESS', 'ERROR', 'TIMEOUT', 'CRASH', 'REFUSED'] }).notNull(),
    errorType: text(),
    errorMessage: text(),
    isCold: boolean().notNull(),
    queueMs: integer().notNull(),
    bootMs: integer().notNull(),
    initMs: integer().notNull(),
    runMs: integer().notNull(),
    memPeakMb: integer().notNull(),
    startedAt: instant().notNull(),
    /** Lines as they came, each `level text`. */
    lines: jsonb().$type<{ at: number; level: string; line: string }[]>().notNull(),
  },
  // Nothing else is indexed: the ids have the time in them, and each index costs a quarter of what the record does.
  table => [primaryKey({ columns: [table.functionId, table.requestId] })],
)

/**
 * Calls of one batch that went as most go: they succeeded on a copy that was there, and wrote no line. What they have in
 * common is written once, and their numbers as arrays, each in the same order.
 */
export const callsAlike = pgTable(
  'fn_calls_alike',
  {
    functionId: id().notNull(),
    teamId: teamId(),
    projectId: id().notNull(),
    qualifier: text().notNull(),
    version: text().notNull(),
    source: text({ enum: invocations.source.enumValues }).notNull(),
    calls: integer().notNull(),
    /** The lowest of their ids, and the highest. */
    firstId: id().notNull(),
    lastId: id().notNull(),
    /** When the first of them began, and the last. */
    firstAt: instant().notNull(),
    lastAt: instant().notNull(),
    /** Of all of them. */
    ranMs: count().notNull(),
    requestIds: id().array().notNull(),
    queueMs: count().array().notNull(),
    runMs: count().array().notNull(),
    memPeakMb: count().array().notNull(),
    startedAt: instant().array().notNull(),
  },
  table => [primaryKey({ columns: [table.functionId, table.lastId] })],
)
