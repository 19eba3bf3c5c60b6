import type { Context } from '../../../server/context.ts'
import { type CatalogueEntry, catalogue } from './catalogue.data.ts'
import { switchboardOf } from './switches.ts'

export type ClosedBy = 'permission' | 'zone' | 'switch'
export type KnownService = CatalogueEntry & { closedBy: ClosedBy | null }

/** What keeps a service from being opened here: the catalogue, then permission, region and switch. */
function closedBy(ctx: Context, entry: CatalogueEntry, isSwitchedOff: boolean): ClosedBy | null {
  if (entry.may !== null && !ctx.may(entry.may)) return 'permission'
  if (entry.zones && !entry.zones.includes(ctx.zone)) return 'zone'
  return isSwitchedOff ? 'switch' : null
}

const byId = new Map(catalogue.map(entry => [entry.serviceId, entry]))

/** The developers' services in the order of the menu. A service without a switch of its own is on. */
export async function servicesFor(ctx: Context): Promise<KnownService[]> {
  const board = await switchboardOf(ctx)
  return catalogue.map(entry => {
    const feature = `service.${entry.serviceId}`
    return { ...entry, closedBy: closedBy(ctx, entry, board.has(feature) && !board.isOn(feature)) }
  })
}

export function serviceOf(serviceId: string): CatalogueEntry | undefined {
  return byId.get(serviceId)
}

/** What the pages of a demo project need; nothing that writes. */
export const readPermissions: readonly string[] = [
  ...new Set(catalogue.flatMap(({ may }) => (may?.endsWith('.read') ? [may] : []))),
]
