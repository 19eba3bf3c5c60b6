import { describe, expect, it } from 'vitest'
import { decide } from './analysis/decision.ts'
import { planOf } from './analysis/planner.ts'
import { resultsOf, segmentsIn } from './analysis/results.ts'
import { counted } from './experiments.testkit.ts'
import { changeWhileRunning, type Design, designFaults, doOverlap, type Engine, freeParts, newDesign } from './rules.ts'
import type { CellSums, Snapshot } from './tables.ts'

const dayMs = 86_400_000
const share = (n: number, sum: number): CellSums => ({ n, sum, sumOfSquares: sum })

interface Given {
  control: [n: number, sum: number]
  treatment: [n: number, sum: number]
  guardrail?: [control: number, treatment: number]
  days?: number
  engine?: Engine
  design?: Partial<Design>
  multiple?: number
}

function snapshotOf({ control, treatment, guardrail, days = 14, design = {}, multiple = 0 }: Given): Snapshot {
  const metrics: Design['metrics'] = [{ metricId: '1', role: 'goal', isPostHoc: false }]
  if (guardrail) metrics.push({ metricId: '2', role: 'guardrail', isPostHoc: false })
  const cell = (variant: string, [n, sum]: [number, number], other: number) => ({
    ...{ variant, day: 0, units: n, metrics: { 1: share(n, sum), 2: share(n, other) } },
  })
  return {
    ...{
      phase: 1,
      from: 0,
      until: days * dayMs,
      segments: [],
      orders: {},
      earlier: 0,
      paused: 0,
      unknown: 0,
      multiple,
    },
    design: { ...newDesign(), metrics, correction: 'none', mde: 0.05, ...design },
    metrics: ['1', '2'].map(metricId => ({ metricId, name: metricId, definition: counted('buy'), cappedAt: null })),
    days: [cell('control', control, guardrail?.[0] ?? 0), cell('treatment', treatment, guardrail?.[1] ?? 0)],
  }
}

const decided = (given: Given) => {
  const snapshot = snapshotOf(given)
  const engine = given.engine ?? 'frequentist'
  return decide({ snapshot, results: resultsOf(snapshot, engine), engine })
}

describe('what the numbers say', () => {
  it('is nothing without units, and wait while there are few or days are missing', () => {
    expect(decided({ control: [0, 0], treatment: [0, 0] }).status).toBe('noData')
    const few = decided({ control: [90, 9], treatment: [90, 30], days: 1 })
    expect([few.status, few.reasons]).toEqual(['collecting', ['tooFewDays', 'tooFewUnits']])
  })

  it('is not to be trusted with a split that is off or units seen in two variants', () => {
    expect(decided({ control: [4072, 400], treatment: [2035, 300] })).toMatchObject({
      ...{ status: 'unhealthy', reasons: ['splitMismatch'], isShippable: false },
    })
    expect(decided({ control: [1000, 100], treatment: [1000, 200], multiple: 50 }).reasons).toEqual([
      'multipleExposures',
    ])
    expect(decided({ control: [1000, 100], treatment: [1000, 200], multiple: 9 }).status).toBe('shipNow')
  })

  it('is to ship only where chance is beyond doubt, the plan is reached, or looking often was planned', () => {
    expect(decided({ control: [5000, 500], treatment: [5000, 700] })).toMatchObject({
      ...{ status: 'shipNow', variant: 'treatment', reasons: ['goalsBetter', 'beyondDoubt'] },
    })
    const early = { control: [5000, 500], treatment: [5000, 570] } satisfies Given
    expect(decided(early)).toMatchObject({ status: 'daysLeft', reasons: ['goalsBetter', 'precisionMissing'] })
    expect(decided({ ...early, engine: 'bayesian' }).status).toBe('daysLeft')
    const sequential = decided({ control: [5000, 500], treatment: [5000, 700], engine: 'sequential' })
    expect(sequential.reasons).toContain('alwaysValid')
    expect(decided({ ...early, design: { mde: 0.5 } })).toMatchObject({
      ...{ status: 'shipNow', reasons: ['goalsBetter', 'precisionReached'] },
    })
  })

  it('is to roll back where goals or a guardrail are worse', () => {
    expect(decided({ control: [5000, 700], treatment: [5000, 500] })).toMatchObject({
      ...{ status: 'rollBackNow', variant: 'control', reasons: ['goalsWorse', 'beyondDoubt'] },
    })
    const harmed = decided({ control: [5000, 500], treatment: [5000, 700], guardrail: [900, 600] })
    expect([harmed.status, harmed.reasons[0]]).toEqual(['rollBackNow', 'guardrailWorse'])
  })

  it('is to look at it where nothing can be told at the end, and says how many days are left before', () => {
    const same = { control: [2000, 200], treatment: [2000, 202] } satisfies Given
    const left = decided(same)
    expect([left.status, left.reasons, left.daysLeft]).toEqual(['daysLeft', ['noDifference', 'precisionMissing'], 166])
    expect(decided({ ...same, design: { maxDays: 14 } })).toMatchObject({
      ...{ status: 'readyForReview', reasons: ['noDifference', 'timeIsOver'], isShippable: false },
    })
  })

  it('by segment names the first one whose split is off', () => {
    const snapshot = snapshotOf({ control: [2000, 200], treatment: [2000, 202] })
    snapshot.segments = [
      ['CN', 1000, 1000],
      ['DE', 900, 500],
    ].flatMap(([value, a, b]) => [
      {
        attribute: 'country',
        value: String(value),
        variant: 'control',
        units: Number(a),
        metrics: { 1: share(Number(a), 100) },
      },
      {
        attribute: 'country',
        value: String(value),
        variant: 'treatment',
        units: Number(b),
        metrics: { 1: share(Number(b), 90) },
      },
    ])
    expect(segmentsIn(snapshot, 'country').map(one => [one.value, one.isSplitHealthy])).toEqual([
      ['CN', true],
      ['DE', false],
    ])
  })
})

describe('the rules of a design', () => {
  it('hold weights to a hundredth, so that three thirds are a whole', () => {
    const [control, treatment] = newDesign().variants as [Design['variants'][number], Design['variants'][number]]
    const variants = [
      { ...control, weight: 33.34 },
      { ...treatment, weight: 33.33 },
      { ...treatment, key: 'third', weight: 33.33 },
    ]
    expect(designFaults({ ...newDesign(), variants })).toEqual([])
    expect(designFaults({ ...newDesign(), variants: [control, { ...treatment, key: 'control' }] })[0]?.message).toBe(
      'there are two variants called control',
    )
    expect(designFaults({ ...newDesign(), minDays: 10, maxDays: 5 })[0]?.pointer).toBe('/minDays')
    expect(designFaults({ ...newDesign(), layer: { layerId: '1', from: 50, to: 50 } })[0]?.pointer).toBe('/layer/to')
    const metrics = Array.from({ length: 4 }, (_one, at) => ({
      metricId: `${at}`,
      role: 'goal' as const,
      isPostHoc: false,
    }))
    expect(designFaults({ ...newDesign(), metrics })[0]?.message).toBe('4 metrics are goal; at most 3 can be')
  })

  it('let a running one grow and nothing else, and tell weights from variants', () => {
    const before = { ...newDesign(), exposurePercent: 50 }
    expect(changeWhileRunning(before, { exposurePercent: 60 }, false)).toMatchObject({
      refused: [],
      warnings: ['exposure'],
    })
    expect(changeWhileRunning(before, { exposurePercent: 40 }, false).refused).toEqual(['exposurePercent'])
    const variants = before.variants.map((one, at) => ({ ...one, weight: at === 0 ? 10 : 90 }))
    expect(changeWhileRunning(before, { variants }, true)).toMatchObject({ refused: [], warnings: ['weights'] })
    const other = before.variants.map(one => ({ ...one, payload: { a: 'b' } }))
    expect(changeWhileRunning(before, { variants: other }, true).warnings).toEqual(['variants'])
    expect(changeWhileRunning(before, { engine: 'bayesian' }, true).refused).toEqual(['engine'])
  })

  it('know what of a layer is free, and who shares somebody', () => {
    expect(
      freeParts([
        { from: 20, to: 50 },
        { from: 0, to: 10 },
      ]),
    ).toEqual([
      { from: 10, to: 20 },
      { from: 50, to: 100 },
    ])
    expect([
      doOverlap({ from: 0, to: 50 }, { from: 50, to: 60 }),
      doOverlap({ from: 0, to: 51 }, { from: 50, to: 60 }),
    ]).toEqual([...[false, true]])
  })

  it('plan by the published number, and ask for more where there are more goals', () => {
    const wish = { base: { share: 0.2 }, mde: 0.25, alpha: 0.05, power: 0.8, variants: 2, goals: 1 } as const
    const rest = { isCorrected: true, varianceReduction: 0, unitsPerDay: 1000 }
    expect(planOf({ ...wish, ...rest })).toEqual({ unitsOfVariant: 1031, units: 2062, alpha: 0.05, days: 3 })
    expect(planOf({ ...wish, ...rest, goals: 3 }).alpha).toBeCloseTo(0.05 / 3)
    expect(planOf({ ...wish, ...rest, varianceReduction: 0.5 }).unitsOfVariant).toBe(516)
    expect(planOf({ ...wish, ...rest, unitsPerDay: 0 }).days).toBeNull()
  })
})
