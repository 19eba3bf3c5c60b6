import { sql } from 'drizzle-orm'
import { boolean, customType, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { count, id, instant, revision, teamId } from '../../../../server/columns.ts'

const transactionId = customType<{ data: string }>({ dataType: () => 'xid8' })

/** What a trigger waits for; which fields there are, its kind says. */
export interface StoredTriggerConfig {
  authType?: 'none' | 'user' | 'apigw-client' | 'cloudgw-client'
  enableUrlDecode?: boolean
  cron?: string
  timezone?: string
  missed?: 'SKIP' | 'RUN_ONCE'
  payload?: unknown
  zone?: string
  objectType?: string
  fields?: string[]
  bucketId?: string
  prefix?: string
  suffix?: string
  events?: string[]
  topic?: string
}

/** What calls a function besides apps. */
export const triggers = pgTable(
  'fn_triggers',
  {
    triggerId: id().primaryKey(),
    functionId: id().notNull(),
    teamId: teamId(),
    projectId: id().notNull(),
    name: text().notNull(),
    typeCode: text({ enum: ['HTTP', 'CRON', 'CLOUDDB', 'CLOUDSTORAGE', 'AUTH', 'EVENT'] }).notNull(),
    /** A version, `$latest`, or an alias. */
    qualifier: text().notNull(),
    config: jsonb().$type<StoredTriggerConfig>().notNull(),
    isEnabled: boolean().notNull().default(true),
    /** In the address of one that HTTP calls. */
    urlKey: text(),
    /** Of a timer: when it is due; null while it is off, or has no day left. */
    nextFireAt: instant(),
    /** What happened before is not its business. */
    activeSince: instant().notNull(),
    fired: count().notNull().default(0),
    lastFiredAt: instant(),
    lastResult: text({ enum: ['SUCCESS', 'FAIL', 'DISCARD', 'RETRY', 'REFUSED'] }),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
    revision: revision(),
  },
  table => [
    index('fn_triggers_of_function').on(table.functionId, table.triggerId),
    index('fn_triggers_listening').on(table.projectId, table.typeCode).where(sql`${table.isEnabled}`),
    index('fn_triggers_of_kind').on(table.typeCode, table.projectId).where(sql`${table.isEnabled}`),
    index('fn_triggers_due').on(table.nextFireAt).where(sql`${table.isEnabled} and ${table.nextFireAt} is not null`),
    uniqueIndex('fn_triggers_by_url').on(table.urlKey),
  ],
)

/** Up to where a log of another service was read. */
export const logMarks = pgTable('fn_log_marks', {
  name: text().primaryKey(),
  xid: transactionId().notNull(),
  seq: id().notNull(),
})
