import type { Ask } from '../../../../server/asking.ts'
import { appView } from '../../publishing/public.ts'

/** An app as the field shows it, with the entities themselves. */
export async function whole(ask: Ask, appId: string, lang?: string) {
  const { app, version, view } = await appView(ask, appId, lang)
  return { appId, ...view, app, version }
}
