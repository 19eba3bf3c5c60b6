import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Stage } from '../../../testkit/stage.ts'
import { rollouts } from '../remote-config/rollouts/contract.ts'
import { experiments } from './contract.ts'
import { type ExperimentStage, openExperiments, variantsOf } from './experiments.testkit.ts'

let stage: Stage
let at: ExperimentStage
beforeAll(async () => {
  stage = await openStage()
  at = await openExperiments(stage)
})
afterAll(() => stage.close())

const rollOut = (parameter: string, value = 'new') =>
  at.owner.call(rollouts, 'createRollout', {
    body: { ...at.config.where, name: `Rolled ${parameter}`, parameter, value },
  })

describe('an experiment and a rollout share no parameter', () => {
  it('where the rollout was first', async () => {
    const { rolloutId, revision } = (await rollOut('button')).body
    await at.owner.ok(rollouts, 'startRollout', { params: { rolloutId }, body: { revision } })
    const query = { projectId: at.projectId, search: 'button' }
    const { list } = await at.owner.ok(experiments, 'listTargets', { query })
    expect(list.map(one => [one.ownedBy, one.rollout])).toEqual([[null, 'Rolled button']])
    const draft = await at.draft('Buttons')
    const params = { experimentId: draft.experimentId }
    const ready = await at.owner.ok(experiments, 'validateExperiment', { params, body: { revision: draft.revision } })
    const reply = await at.owner.call(experiments, 'startExperiment', { params, body: { revision: ready.revision } })
    expect([reply.status, reply.body.ret.msg]).toEqual([
      409,
      'The parameter button is under the rollout Rolled button; end that first.',
    ])
    const running = await at.owner.ok(rollouts, 'getRollout', { params: { rolloutId } })
    const body = { revision: running.revision }
    await at.owner.ok(rollouts, 'rollBackRollout', { params: { rolloutId }, body })
    const started = await at.owner.ok(experiments, 'startExperiment', { params, body: { revision: ready.revision } })
    expect(started.state).toBe('running')
  })

  it('where both start at once', async () => {
    const { rolloutId, revision } = (await rollOut('size', '2')).body
    const draft = await at.draft('Sizes', { variants: variantsOf('size', '3') })
    const params = { experimentId: draft.experimentId }
    const ready = await at.owner.ok(experiments, 'validateExperiment', { params, body: { revision: draft.revision } })
    const replies = await Promise.all([
      at.owner.call(rollouts, 'startRollout', { params: { rolloutId }, body: { revision } }),
      at.owner.call(experiments, 'startExperiment', { params, body: { revision: ready.revision } }),
    ])
    expect(replies.map(one => one.status).sort()).toEqual([200, 409])
  })

  it('where the experiment was first', async () => {
    const reply = await rollOut('button')
    expect([reply.status, reply.body.ret.msg]).toEqual([
      409,
      'The parameter button is under the experiment Buttons already; end that first.',
    ])
    expect((await rollOut('title')).status).toBe(200)
  })
})
