import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { experiments } from './contract.ts'
import { type ExperimentStage, openExperiments, variantsOf } from './experiments.testkit.ts'

let stage: Stage
let at: ExperimentStage
beforeAll(async () => {
  stage = await openStage()
  at = await openExperiments(stage)
})
afterAll(() => stage.close())

const move = (name: 'pause' | 'resume', { experimentId, revision }: { experimentId: string; revision: number }) =>
  at.owner.call(experiments, `${name}Experiment`, { params: { experimentId }, body: { revision } })

describe('an experiment that moves', () => {
  it('is in force as it is, also where another one of the project moves at the same moment', async () => {
    let pair = [await at.run('One'), await at.run('Other', { variants: variantsOf('title', 'Hi') })]
    const paused = async () => {
      const [row] = await stage.sql<{ running: { name: string; variants: { weight: number }[] }[] }>(
        'CN',
        `SELECT running FROM rcs_templates WHERE project_id = $1 AND kind = 'client'`,
        [at.projectId],
      )
      return row?.running.filter(one => one.variants.some(({ weight }) => weight === 1)).map(one => one.name)
    }
    for (let round = 0; round < 4; round++)
      for (const [name, expected] of [
        ['pause', ['One', 'Other']],
        ['resume', []],
      ] as const) {
        const moved = await Promise.all(pair.map(one => move(name, one)))
        expect(moved.map(one => one.status)).toEqual([200, 200])
        expect(await paused()).toEqual(expected)
        pair = moved.map(one => one.body as never)
      }
  })
})
