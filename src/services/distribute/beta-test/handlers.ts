import { type Handlers, implement } from '../../../server/implement.ts'
import { appOf } from '../apps/public.ts'
import { toGroup, toGroups } from './answer.ts'
import { betaGroupsV2, betaGroups as contract } from './contract.ts'
import { createGroup, deleteGroup, updateGroup } from './groups.ts'
import { loadGroup, pageOfGroups } from './queries.ts'

const handlers: Handlers<typeof contract> = {
  listGroups: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    const page = await pageOfGroups(ctx, query)
    return { ...page, list: await toGroups(ctx, page.list) }
  },

  createGroup: async (ctx, { body }) => toGroup(ctx, await createGroup(ctx, body)),

  getGroup: async (ctx, { params }) => toGroup(ctx, await loadGroup(ctx, params.groupId)),

  updateGroup: async (ctx, { params, body }) => toGroup(ctx, await updateGroup(ctx, params.groupId, body)),

  deleteGroup: async (ctx, { params }) => {
    await deleteGroup(ctx, params.groupId)
    return {}
  },
}

export default implement(contract, handlers)
export const secondGeneration = implement(betaGroupsV2, handlers)
