import { implement } from '../../../../server/implement.ts'
import { demoProjectOf } from '../../../ground/projects/public.ts'
import type { AppRecord } from '../queries.ts'
import { demoProject as contract } from './contract.ts'
import { demoAppOf, makeDemo } from './make.ts'

export default implement(contract, {
  getDemoProject: async ctx => {
    const project = await demoProjectOf(ctx)
    const app = await demoAppOf(ctx)
    return { demo: project && app ? answer(project.name, app) : null }
  },

  makeDemoProject: async ctx => {
    ctx.assertScope({})
    const { name, app } = await makeDemo(ctx, ctx.accountId)
    return answer(name, app)
  },
})

function answer(name: string, { projectId, appId, demo, createdAt }: AppRecord) {
  return { projectId, appId, name, dataUntil: demo?.until ?? 0, createdAt }
}
