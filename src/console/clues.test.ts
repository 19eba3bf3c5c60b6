import { describe, expect, it } from 'vitest'
import { type Clue, type CluePort, reportClue } from './clues.ts'

const clueOf = (serviceId: string, dataType: Clue['dataType'] = 'agc_service_browsing'): Clue => ({
  dataType,
  detail: { serviceId, serviceCode: 'distribute/apps', menuId: '/apps' },
})

function openTab(country: string | undefined = 'CN', send: CluePort['send'] = async () => true) {
  const kept = new Map<string, string>()
  const sent: Clue[] = []
  const port: CluePort = {
    teamCountry: () => country,
    store: { getItem: key => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) },
    send: clue => {
      sent.push(clue)
      return send(clue)
    },
  }
  return { port, kept, sent }
}

describe('a clue', () => {
  it('of the demo project arms on the first call and is reported on later ones', async () => {
    const { port, sent } = openTab()
    const look = (serviceId: string) => reportClue(port, clueOf(serviceId, 'agcp_demoproject_browsing'))
    expect([await look('apps'), await look('apps'), await look('files')]).toEqual(['armed', 'sent', 'sent'])
    expect(sent.map(clue => clue.detail.serviceId)).toEqual(['apps', 'files'])
  })

  it('is reported once per clue and session', async () => {
    const { port, kept, sent } = openTab()
    const answers = [clueOf('apps'), clueOf('apps'), clueOf('apps', 'ecology_service_browsing'), clueOf('files')]
    const told = []
    for (const clue of answers) told.push(await reportClue(port, clue))
    expect(told).toEqual(['sent', 'repeated', 'sent', 'sent'])
    expect(sent).toHaveLength(3)
    expect(JSON.parse(kept.get('reportedClues') ?? '')).toHaveLength(3)
  })

  it('is reported once when two pages report it at once', async () => {
    const { port, sent } = openTab()
    await Promise.all([reportClue(port, clueOf('apps')), reportClue(port, clueOf('apps'))])
    expect(sent).toHaveLength(1)
  })

  it.each([undefined, '', 'DE', 'SG', 'cn', 'RU'])(
    'is sent only where the team country is CN, not %j',
    async country => {
      const { port, sent, kept } = openTab()
      port.teamCountry = () => country
      expect(await reportClue(port, clueOf('apps'))).toBe('abroad')
      expect([sent, kept.size]).toEqual([[], 0])
    },
  )

  it('suppresses errors, and may be reported again later', async () => {
    let isUp = false
    const { port } = openTab('CN', () => (isUp ? Promise.resolve(true) : Promise.reject(new Error('risk'))))
    expect(await reportClue(port, clueOf('apps'))).toBe('failed')
    isUp = true
    expect(await reportClue(port, clueOf('apps'))).toBe('sent')
  })

  it.each(['no JSON', '{"a":1}', 'null', '[1,2]'])('is reported though reportedClues holds %s', async value => {
    const { port, kept } = openTab()
    kept.set('reportedClues', value)
    expect(await reportClue(port, clueOf('apps'))).toBe('sent')
  })
})
