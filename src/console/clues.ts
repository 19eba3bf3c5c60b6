/** What somebody looked at who may want to buy (specification, section 7). */
export interface Clue {
  dataType: 'agcp_demoproject_browsing' | 'agc_service_browsing' | 'ecology_service_browsing'
  detail: { serviceId: string; serviceCode: string; menuId: string }
}

export interface CluePort {
  /** Sends one; false where it did not arrive. Says nothing to anybody. */
  send: (clue: Clue) => Promise<boolean>
  /** Of the team; undefined where there is none. */
  teamCountry: () => string | undefined
  /** Of this tab. */
  store: Pick<Storage, 'getItem' | 'setItem'>
}

const keys = { reported: 'reportedClues', armed: 'loggia.clueArmed' } as const

function reportedIn(store: CluePort['store']): string[] {
  try {
    const kept: unknown = JSON.parse(store.getItem(keys.reported) ?? '[]')
    return Array.isArray(kept) ? kept.filter(one => typeof one === 'string') : []
  } catch {
    return []
  }
}

/**
 * Reports a clue, once a session and only where the team is in China. The demo project's are armed by the first call and
 * reported from the second one on: who only came by is no clue. Errors stay here.
 */
export async function reportClue(
  port: CluePort,
  clue: Clue,
): Promise<'abroad' | 'armed' | 'repeated' | 'sent' | 'failed'> {
  if (port.teamCountry() !== 'CN') return 'abroad'
  if (clue.dataType === 'agcp_demoproject_browsing' && port.store.getItem(keys.armed) === null) {
    port.store.setItem(keys.armed, '1')
    return 'armed'
  }
  const name = `${clue.dataType} ${clue.detail.serviceId}`
  const before = reportedIn(port.store)
  if (before.includes(name)) return 'repeated'
  // Marked before it is sent, so that two pages at once report it once.
  port.store.setItem(keys.reported, JSON.stringify([...before, name]))
  if (await port.send(clue).catch(() => false)) return 'sent'
  port.store.setItem(keys.reported, JSON.stringify(reportedIn(port.store).filter(one => one !== name)))
  return 'failed'
}
