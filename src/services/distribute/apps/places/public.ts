import type { Context } from '../../../../server/context.ts'
import { loadApp } from '../queries.ts'
import type { PackageType } from '../rules.ts'
import { editionsOf, isSamePackageName, sameName, samePackageName } from './editions.ts'

/** An app of the team that looks like another edition of one product. */
export interface AlikeApp {
  appId: string
  name: string
  packageName: string | null
  packageType: PackageType
  relation: 'SAME_PACKAGE_NAME' | 'SAME_NAME'
}

/** Apps of the team for other platforms with the name or the package name of this one, at most fifty. Refuses 404. */
export async function alikeOf(ctx: Context, appId: string): Promise<AlikeApp[]> {
  const app = await loadApp(ctx, appId)
  const rows = await editionsOf(ctx, app, [sameName(app), samePackageName(app)])
  return rows.map(row => ({
    appId: row.appId,
    name: row.name,
    packageName: row.packageName,
    packageType: row.packageType as PackageType,
    relation: isSamePackageName(app, row) ? 'SAME_PACKAGE_NAME' : 'SAME_NAME',
  }))
}
