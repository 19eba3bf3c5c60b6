import { tellClue } from '../clue-port.ts'
import { detectLanguage } from '../language.ts'
import { mode } from '../mode.ts'
import type { PageSpec } from '../page-spec.ts'
import { projectZone, teamZone } from '../session.ts'
import { pageScript } from './analytics-script.ts'
import { actingTeam, eventOf, type SeenPage } from './event.ts'
import { zoneOfPage } from './report-address.ts'
import { reportPort } from './report-port.ts'
import { ReportSender } from './sender.ts'
import { browserWays } from './ways.ts'

/** What is read of the router. */
interface Pages {
  subscribe: (event: 'onLoad' | 'onResolved', act: () => void) => unknown
  state: { status: string; matches: readonly { staticData: { page?: PageSpec }; params: unknown; pathname: string }[] }
}

/** Reports every page and every press of a named button from now on. Nothing is reported in the open-test mode. */
export async function startReports(pages: Pages): Promise<void> {
  const sender = new ReportSender(browserWays(await reportPort()))
  const lookForScript = pageScript()
  let shownPath: string | undefined

  const seen = (): (SeenPage & { pathname: string }) | undefined => {
    const match = pages.state.matches.findLast(one => one.staticData.page)
    const spec = match?.staticData.page
    return spec && match && { spec, params: match.params as SeenPage['params'], pathname: match.pathname }
  }
  const report = async (name: 'page' | 'click', page: SeenPage, action?: string) => {
    if (mode.isOpenTest()) return
    const zone = zoneOfPage({ project: projectZone.get(), team: teamZone(), language: detectLanguage() })
    sender.add(zone, actingTeam(), await eventOf(name, page, Date.now(), action))
  }
  const seePage = () => {
    const page = seen()
    if (!page || page.pathname === shownPath) return
    shownPath = page.pathname
    void report('page', page)
    if (mode.isOpenTest()) return
    void tellClueOf(page)
    void lookForScript()
  }

  pages.subscribe('onLoad', seePage)
  pages.subscribe('onResolved', seePage)
  // A page that still loads has its place already, but not its session and zone: its report would go elsewhere.
  if (pages.state.status === 'idle') seePage()
  document.addEventListener(
    'click',
    event => {
      const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-action]') : null
      const page = seen()
      if (pressed?.dataset['action'] && page) void report('click', page, pressed.dataset['action'])
    },
    { capture: true },
  )
  window.addEventListener('online', () => sender.wake())
  window.addEventListener('pagehide', () => sender.handOver())
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') sender.handOver()
  })
}

/** Pages of services are what developers and visitors may want to buy; the frame's own and those of staff are not. */
async function tellClueOf({ spec }: SeenPage): Promise<void> {
  if (spec.service === 'console' || spec.group === 'ground' || spec.face === 'reviewer') return
  const dataType = mode.isDemoProject()
    ? 'agcp_demoproject_browsing'
    : spec.group === 'earn'
      ? 'ecology_service_browsing'
      : 'agc_service_browsing'
  const serviceId = spec.service.slice(spec.service.indexOf('/') + 1)
  await tellClue({ dataType, detail: { serviceId, serviceCode: spec.service, menuId: spec.path.slice(0, 64) } })
}
