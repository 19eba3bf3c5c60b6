import { greyFlagOf, lastHashSegment, userTypeOf } from '../../kernel/hints.ts'
import { analyticsPageName } from '../../kernel/language.ts'
import { hasConsent } from '../consent-port.ts'
import { currentFace } from '../face.ts'
import { detectLanguage } from '../language.ts'
import { mode } from '../mode.ts'
import type { PageSpec } from '../page-spec.ts'
import { randomUuid } from '../random-id.ts'
import { currentTeam, sessionState } from '../session.ts'
import { hintOf, stored } from '../stored.ts'
import type { ReportedEvent } from './outbox.ts'
import { keepSource, sourceOf } from './source.ts'

const personKey = 'agc_did'

/** A page on screen. */
export interface SeenPage {
  spec: PageSpec
  params: Readonly<Record<string, string | undefined>>
}

/** The team this tab acts for; undefined where nobody is signed in. */
export function actingTeam(): string | undefined {
  const now = sessionState()
  return now.status === 'in' ? (now.teamId ?? undefined) : undefined
}

/** The random id of this browser, of people who agreed to it; without that there is none, and one from before is gone. */
async function personId(): Promise<string | undefined> {
  if (!(await hasConsent('ANALYTICS'))) {
    localStorage.removeItem(personKey)
    return undefined
  }
  const kept = localStorage.getItem(personKey) ?? randomUuid()
  localStorage.setItem(personKey, kept)
  return kept
}

/** An event with every field of the specification that is known here; the server believes none of them. */
export async function eventOf(
  name: ReportedEvent['name'],
  { spec, params }: SeenPage,
  at: number,
  action?: string,
): Promise<ReportedEvent> {
  const language = detectLanguage()
  const hash = location.hash
  const team = currentTeam()
  const source = keepSource(localStorage, sourceOf(location.search, document.referrer, location.origin))
  return {
    eventId: randomUuid(),
    name,
    at,
    pageName: analyticsPageName(language),
    page: spec.path,
    ...(action !== undefined && { action }),
    face: spec.face === 'visitor' ? 'visitor' : currentFace(),
    serviceItem: lastHashSegment(hash) ?? 'home',
    language,
    domain: location.hostname,
    DID: await personId(),
    productID: params['projectId'] ?? stored.get('currentProductId'),
    appID: params['appId'] ?? mode.appId() ?? undefined,
    userType: String(userTypeOf(team?.userType, Number(hintOf('userType') ?? 0))),
    countryID: team?.countryCode ?? hintOf('country'),
    teamID: actingTeam(),
    childType: stored.get('appInfo')?.childType,
    ...source,
    greyFlag: greyFlagOf(document.cookie),
    ...(navigator.webdriver && { isDriven: true }),
  }
}
