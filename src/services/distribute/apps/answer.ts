import { allowedActions } from '../../../kernel/life-cycle.ts'
import type { Static } from '../../../kernel/shape.ts'
import { siteOfZone } from '../../../kernel/zones.ts'
import type { Context } from '../../../server/context.ts'
import type { App } from './contract.ts'
import { lineOf } from './kinds.ts'
import type { AppRecord } from './queries.ts'
import { appFacts, appLifeCycle, childTypes, developStatusOf, hasPackageName, type PackageType } from './rules.ts'

/** An app as the wire has it, with what the caller may do with it now. */
export function toApp(ctx: Context, row: AppRecord): Static<typeof App> {
  const packageType = row.packageType as PackageType
  return {
    ...row,
    packageType,
    siteId: siteOfZone(ctx.zone),
    canChangePackageName: canChangePackageName(row),
    parentType: (row.kindMainTag === null ? undefined : lineOf(row.kindMainTag)?.[0]?.id) ?? (row.isGame ? 2 : 1),
    childType: childTypes[packageType],
    lifecycle: row.state,
    developStatus: developStatusOf(row),
    isDemo: row.demo !== null,
    everOnShelf: row.lastShelf !== null,
    allowedActions:
      row.demo === null
        ? allowedActions(appLifeCycle, row.state, permission => ctx.may(permission), appFacts(row))
        : [],
  }
}

/** Once, while no package was accepted. */
export function canChangePackageName(row: AppRecord): boolean {
  return hasPackageName(row.packageType as PackageType) && !row.packageNameSettled && !row.packageNameChosen
}
