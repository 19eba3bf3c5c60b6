import type { Person, Stage } from '../../../../testkit/stage.ts'
import { type ConfigStage, condition, inCountry, openConfig, parameter } from '../config.testkit.ts'
import { type RolloutChangeView, type RolloutView, rollouts } from './contract.ts'

/** As short as a step may be: whoever is signed in stays so. */
export const hold = 60_000
export const timed = (...percents: number[]) => percents.map(percent => ({ percent, holdMs: hold }))

export type Verb =
  | 'start'
  | 'advance'
  | 'approve'
  | 'pause'
  | 'resume'
  | 'rollBack'
  | 'complete'
  | 'cancel'
  | 'randomise'

/** A project with a button that is grey, red in China, and a size of 1; and the calls about its rollouts. */
export async function openRollouts(stage: Stage) {
  const config: ConfigStage = await openConfig(stage)
  const { owner, where } = config
  await config.publish({
    conditions: [condition('cn', inCountry('CN'))],
    parameters: {
      button: parameter('grey', { conditional: { cn: { value: 'red' } } }),
      size: parameter('1', { valueType: 'NUMBER' }),
    },
  })
  const create = (body: object = {}) =>
    owner.call(rollouts, 'createRollout', {
      body: { ...where, name: 'Green', parameter: 'button', value: 'green', steps: timed(10, 50, 100), ...body },
    })
  const by = (person: Person, verb: Verb, { rolloutId, revision }: RolloutView, more: object = {}) =>
    person.call(rollouts, `${verb}Rollout`, { params: { rolloutId }, body: { revision, ...more } })
  return {
    ...config,
    create,
    by,
    made: async (body?: object): Promise<RolloutView> => answered(await create(body)),
    act: async (verb: Verb, one: RolloutView, more: object = {}): Promise<RolloutView> =>
      answered(await by(owner, verb, one, more)),
    look: ({ rolloutId }: RolloutView): Promise<RolloutView> =>
      owner.ok(rollouts, 'getRollout', { params: { rolloutId } }),
    historyOf: async ({ rolloutId }: RolloutView): Promise<RolloutChangeView[]> =>
      (await owner.ok(rollouts, 'listRolloutChanges', { params: { rolloutId }, query: {} })).list,
  }
}

export type RolloutStage = Awaited<ReturnType<typeof openRollouts>>

function answered({ status, text, body }: { status: number; text: string; body: RolloutView }): RolloutView {
  if (status !== 200) throw new Error(text)
  return body
}
