import type { Context } from '../../../../server/context.ts'
import type { MasterKey } from '../../../../server/master-key.ts'
import type { configFiles } from '../tables.home.ts'

type FileRow = typeof configFiles.$inferSelect

const purpose = 'projects config file'

export function openClientSecret(key: MasterKey, { configFileId, sealedSecret }: FileRow): string {
  return key.open(purpose, `secret ${configFileId}`, sealedSecret)
}

/** Tells every process that a client is no more: its tokens are void. */
export function tellClientEnded(ctx: Context, { clientId }: Pick<FileRow, 'clientId'>): void {
  ctx.signal('home', 'appclients', clientId)
}
