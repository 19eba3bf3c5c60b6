import { and, eq, inArray, or } from 'drizzle-orm'
import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import { badField } from '../../../../server/http/problem.ts'
import { unpackedSize } from '../code/packages.ts'
import { limits, type RuntimeId } from '../rules.ts'
import type { LayerChoice } from '../tables.ts'
import { functionLayers } from './contract.ts'
import { layers, layerVersions } from './tables.ts'

const { errors } = functionLayers

/** The layers that somebody chose for a function, with what is needed to run; undefined where he said nothing of them. */
export async function chosenLayers(
  ctx: Context,
  projectId: string,
  runtime: RuntimeId,
  wanted: readonly { layerId: string; number: number }[] | undefined,
): Promise<LayerChoice[] | undefined> {
  if (wanted === undefined || wanted.length === 0) return wanted && []
  if (new Set(wanted.map(one => one.layerId)).size < wanted.length)
    throw badField('/layers', 'unique', 'a layer stands there once, in one version')
  const rows = await ctx.transact(inner =>
    inner.db
      .select()
      .from(layerVersions)
      .innerJoin(layers, eq(layers.layerId, layerVersions.layerId))
      .where(
        and(
          inArray(
            layers.layerId,
            wanted.map(one => one.layerId),
          ),
          eq(layers.teamId, ctx.teamId),
          or(eq(layers.projectId, projectId), eq(layers.scope, 'TEAM')),
        ),
      ),
  )
  return wanted.map(({ layerId, number }) => {
    const row = rows.find(one => one.fn_layers.layerId === layerId && one.fn_layer_versions.number === number)
    if (!row) return refuse(errors.noLayer, { layer: layerId, number })
    const { sha256, unpackedBytes } = row.fn_layer_versions
    const { name, runtimes } = row.fn_layers
    if (!(runtimes as readonly RuntimeId[]).includes(runtime))
      return refuse(errors.wrongRuntime, { layer: name, runtimes: runtimes.join(', '), runtime })
    return { layerId, name, number, sha256, unpackedBytes }
  })
}

/** Keeps the chosen versions from being deleted until the transaction ends. Refuses 404 for one that is gone. */
export async function holdLayers(ctx: Context, chosen: readonly LayerChoice[] = []): Promise<void> {
  const sorted = [...chosen].sort((a, b) => (a.layerId < b.layerId ? -1 : 1))
  for (const { layerId, name, number } of sorted) {
    const isIt = and(eq(layerVersions.layerId, layerId), eq(layerVersions.number, number))
    const [row] = await ctx.db.select().from(layerVersions).where(isIt).for('share')
    if (!row) refuse(errors.noLayer, { layer: name, number })
  }
}

/** Code and layers lie unpacked on the disk of every server that runs the function. */
export async function assertFits(ctx: Context, codeSha256: string, chosen: readonly LayerChoice[] = []): Promise<void> {
  if (chosen.length === 0) return
  const local = await ctx.server.bytes(ctx.zone, 'functions').localFile(codeSha256)
  try {
    // A package that is none is refused where it is started.
    const own = await unpackedSize(local.path).catch(() => 0)
    const bytes = chosen.reduce((sum, one) => sum + one.unpackedBytes, own)
    if (bytes > limits.unpackedBytes) refuse(errors.layersTooLarge, { bytes, limit: limits.unpackedBytes })
  } finally {
    await local.release()
  }
}
