import { describe, expect, it } from 'vitest'
import { decideUpdate, isForced, isInPhase, isShownToAll, type Offer, type Phase } from './rules.ts'

const appId = '736430079244000001'
const phase = (percentBp: number, more: Partial<Phase> = {}): Phase => ({
  isRunning: true,
  salt: appId,
  percentBp,
  newInstalls: 'FOLLOW',
  countries: [],
  ...more,
})
const many = 100_000
const devices = Array.from({ length: many }, (_, at) => `device-${at.toString(36)}`)
const chosen = (one: Phase) => new Set(devices.filter(id => isInPhase(one, { versionCode: '1' }, id)))

describe('a hundred thousand devices', { timeout: 60_000 }, () => {
  it.each([1, 2, 5, 10, 20, 50])('at %i percent are chosen within three sigma', percent => {
    const share = percent / 100
    const sigma = Math.sqrt(many * share * (1 - share))
    for (const salt of [appId, '736430079244000077']) {
      expect(Math.abs(chosen(phase(percent * 100, { salt })).size - many * share)).toBeLessThan(3 * sigma)
    }
  })

  it('lose nobody when the share grows', () => {
    const more = chosen(phase(1000))
    expect([...chosen(phase(500))].filter(id => !more.has(id))).toEqual([])
  })

  it('are offered nothing new while it is paused, and the right build after a rollback', () => {
    const full = offer('10')
    const during = [offer('20', { phase: phase(1000) }), full]
    const ask = (offers: readonly Offer[], versionCode: string, id: string) => {
      const found = decideUpdate(offers, { versionCode }, id)
      return typeof found === 'string' ? found : found.versionCode
    }
    const isOffered = devices.map(id => ask(during, '1', id) === '20')
    // Every other device whose turn it is has installed it.
    const groupOf = (at: number) => (isOffered[at] ? (at % 2 === 0 ? 'updated' : 'offered') : 'old')
    const codeOf = { updated: '20', offered: '1', old: '1' }
    const answers = (offers: readonly Offer[]) => {
      const seen = { updated: new Set<string>(), offered: new Set<string>(), old: new Set<string>() }
      for (const [at, id] of devices.entries()) seen[groupOf(at)].add(ask(offers, codeOf[groupOf(at)], id))
      return Object.fromEntries(Object.entries(seen).map(([group, answer]) => [group, [...answer]]))
    }
    expect(answers(during)).toEqual({ updated: ['LATEST'], offered: ['20'], old: ['10'] })
    const none = { updated: ['LATEST'], offered: ['10'], old: ['10'] }
    expect(answers([offer('20', { phase: phase(1000, { isRunning: false }) }), full])).toEqual(none)
    expect(answers([full])).toEqual(none)
    // Whoever has the bad one waits for a higher code, and then gets it as everybody does.
    expect(answers([offer('21')])).toEqual({ updated: ['21'], offered: ['21'], old: ['21'] })
  })

  it('are forced only below the minimum, by the version that each is offered, and never before their turn', () => {
    const offers = [
      { ...offer('20', { phase: phase(1000) }), minVersionCode: '20' },
      { ...offer('10'), minVersionCode: '5' },
    ]
    const counts = { inTurn: 0, old: 0, recent: 0, latest: 0, fresh: 0 }
    const turn = chosen(phase(1000))
    for (const [at, id] of devices.entries()) {
      const versionCode = ['0', '4', '5', '10'][at % 4] as string
      const found = decideUpdate(offers, { versionCode }, id)
      const forced = typeof found !== 'string' && isForced(found.minVersionCode, versionCode)
      if (versionCode === '0') counts.fresh += Number(forced)
      else if (turn.has(id)) counts.inTurn += Number(!forced)
      else if (versionCode === '4') counts.old += Number(!forced)
      else if (versionCode === '5') counts.recent += Number(forced)
      else counts.latest += Number(forced || found !== 'LATEST')
    }
    expect(counts).toEqual({ inTurn: 0, old: 0, recent: 0, latest: 0, fresh: 0 })
  })

  it('are the same in every release with the app as salt, and others with the version', () => {
    const sticky = chosen(phase(1000))
    expect(chosen(phase(1000))).toEqual(sticky)
    const one = chosen(phase(1000, { salt: '736430079244000011' }))
    const other = chosen(phase(1000, { salt: '736430079244000012' }))
    // Of two draws that know nothing of each other a tenth of a tenth is in both.
    expect([...one].filter(id => other.has(id)).length / many).toBeCloseTo(0.01, 2)
  })

  it.each([
    [0, 0],
    [10_000, many],
  ])('at %i basis points are %i', (percentBp, size) => expect(chosen(phase(percentBp)).size).toBe(size))
})

const offer = (versionCode: string, more: Partial<Offer> = {}): Offer => ({
  versionCode,
  signers: ['aa'],
  minSdk: null,
  abis: [],
  countries: [],
  ...more,
})

describe('the decision', () => {
  const inside = devices.find(id => isInPhase(phase(500), { versionCode: '1' }, id)) as string
  const outside = devices.find(id => !isInPhase(phase(500), { versionCode: '1' }, id)) as string
  const decide = (one: Phase, deviceId: string, versionCode = '1', more: { country?: string; sdk?: number } = {}) => {
    const found = decideUpdate(
      [offer('20', { phase: one, minSdk: 30 }), offer('10')],
      { versionCode, ...more },
      deviceId,
    )
    return typeof found === 'string' ? found : found.versionCode
  }

  it.each([
    ['whose turn it is', phase(500), inside, '1', {}, '20'],
    ['whose turn it is not', phase(500), outside, '1', {}, '10'],
    ['of a paused one', phase(500, { isRunning: false }), inside, '1', {}, '10'],
    ['that has it already, while it is paused', phase(500, { isRunning: false }), inside, '20', {}, 'LATEST'],
    ['that has it and whose turn it is not', phase(500), outside, '20', {}, 'LATEST'],
    ['with the full version, whose turn it is not', phase(500), outside, '10', {}, 'LATEST'],
    ['that is too old for it', phase(500), inside, '1', { sdk: 29 }, '10'],
    ['in one of its countries', phase(500, { countries: ['DE'] }), inside, '1', { country: 'DE' }, '20'],
    ['in another country', phase(500, { countries: ['DE'] }), inside, '1', { country: 'FR' }, '10'],
    ['that does not say its country', phase(500, { countries: ['DE'] }), inside, '1', {}, '10'],
    ['new, and new ones follow the draw', phase(500), outside, '0', {}, '10'],
    ['new, and new ones always get it', phase(500, { newInstalls: 'ALWAYS_NEW' }), outside, '0', {}, '20'],
    [
      'new, and new ones get it, but it is paused',
      phase(500, { newInstalls: 'ALWAYS_NEW', isRunning: false }),
      outside,
      '0',
      {},
      '10',
    ],
    ['new, and new ones never get it', phase(500, { newInstalls: 'ALWAYS_OLD' }), inside, '0', {}, '10'],
    ['not new, and new ones never get it', phase(500, { newInstalls: 'ALWAYS_OLD' }), inside, '1', {}, '20'],
  ] as const)('for a device %s', (_why, one, deviceId, versionCode, more, answer) => {
    expect(decide(one, deviceId, versionCode, more)).toBe(answer)
  })

  it.each([
    ['where that is allowed', { manualPull: true }, '1', '20'],
    ['where that is not allowed', {}, '1', '10'],
    ['while it is paused', { manualPull: true, isRunning: false }, '1', '10'],
    ['in another country', { manualPull: true, countries: ['DE'] }, '1', '10'],
    ['on a new device, though newcomers keep the old one', { manualPull: true, newInstalls: 'ALWAYS_OLD' }, '0', '20'],
  ] as const)('for somebody who looks for updates by hand before his turn, %s', (_why, more, versionCode, answer) => {
    const offers = [offer('20', { phase: phase(500, more) }), offer('10')]
    const found = decideUpdate(offers, { versionCode, country: 'FR' }, outside, true)
    expect(typeof found === 'string' ? found : found.versionCode).toBe(answer)
  })

  it('shows visitors a phased version only where every new install gets it', () => {
    const shown = (more: Partial<Phase>) => isShownToAll(phase(500, more))
    expect([null, undefined].map(isShownToAll)).toEqual([true, true])
    expect([shown({}), shown({ newInstalls: 'ALWAYS_OLD' })]).toEqual([false, false])
    expect(shown({ newInstalls: 'ALWAYS_NEW' })).toBe(true)
    expect(shown({ newInstalls: 'ALWAYS_NEW', isRunning: false })).toBe(false)
    expect(shown({ newInstalls: 'ALWAYS_NEW', countries: ['DE'] })).toBe(false)
  })
})
