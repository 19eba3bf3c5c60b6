import { refuse } from '../../../../kernel/errors.ts'
import type { Context } from '../../../../server/context.ts'
import type { Download } from '../../../../server/implement.ts'
import { functionErrors } from '../contract.ts'
import { loadFunction, versionRow } from '../queries.ts'
import { latest } from '../rules.ts'

export interface Package {
  codeSha256: string
  codeBytes: number
  fileName: string
}

/** Which package a version of a function has. Refuses 404, and 412 of one that is an image. */
export async function codeIn(ctx: Context, functionId: string, version: string = latest): Promise<Package> {
  return ctx.transact(async inner => {
    const row = await loadFunction(inner, functionId)
    const of = version === latest ? row : await versionRow(inner, functionId, version)
    const { codeSha256, codeBytes, config } = of
    if (config.image) refuse(functionErrors.isImage, { image: config.image.reference })
    return { codeSha256, codeBytes, fileName: `${row.functionName}${version}.zip` }
  })
}

/** A package as a zip to keep. */
export async function downloadOf(ctx: Context, { codeSha256, codeBytes, fileName }: Package): Promise<Download> {
  return {
    headers: {
      'content-type': 'application/zip',
      'content-length': codeBytes,
      'content-disposition': `attachment; filename="${fileName}"`,
      'cache-control': 'private, no-store',
    },
    body: await ctx.server.bytes(ctx.zone, 'functions').read(codeSha256),
  }
}
