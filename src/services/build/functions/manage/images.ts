import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../../../server/context.ts'
import { readImage } from '../images/rules.ts'
import { latest } from '../rules.ts'
import { functions, functionVersions } from '../tables.ts'

/** The images of a project's functions, each once by its name and digest, with the versions that run from it. */
export async function imagesOf(ctx: Context, projectId: string) {
  const [current, published] = await Promise.all([
    ctx.db
      .select({ functionName: functions.functionName, config: functions.config, version: sql<string>`${latest}` })
      .from(functions)
      .where(eq(functions.projectId, projectId)),
    ctx.db
      .select({
        functionName: functions.functionName,
        config: functionVersions.config,
        version: sql<string>`${functionVersions.version}::text`,
      })
      .from(functionVersions)
      .innerJoin(functions, eq(functions.functionId, functionVersions.functionId))
      .where(eq(functions.projectId, projectId)),
  ])
  const all = [...current, ...published].flatMap(({ config: { image }, functionName, version }) =>
    image ? [{ ...image, usedBy: { functionName, version } }] : [],
  )
  const byImage = Map.groupBy(all, ({ reference, digest }) => `${reference} ${digest}`)
  return [...byImage.values()].map(same => {
    const [{ reference, digest }] = same as [(typeof same)[0]]
    const { repository, tag } = readImage(reference)
    return { imageId: digest, repository, tag, usedBy: same.map(one => one.usedBy) }
  })
}
