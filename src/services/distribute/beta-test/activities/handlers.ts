import { implement } from '../../../../server/implement.ts'
import { appOf } from '../../apps/public.ts'
import {
  createActivity,
  deleteActivity,
  loadActivity,
  moveActivity,
  pageOfActivities,
  toActivity,
  updateActivity,
} from './activities.ts'
import { betaActivities as contract } from './contract.ts'

export default implement(contract, {
  listActivities: async (ctx, { query }) => {
    await appOf(ctx, query.appId)
    return pageOfActivities(ctx, query)
  },

  createActivity: async (ctx, { body }) => toActivity(ctx, await createActivity(ctx, body)),

  getActivity: async (ctx, { params }) => toActivity(ctx, await loadActivity(ctx, params.activityId)),

  updateActivity: async (ctx, { params, body: { revision: _sent, ...wish } }) =>
    toActivity(ctx, await updateActivity(ctx, params.activityId, wish)),

  moveActivity: async (ctx, { params, body }) =>
    toActivity(ctx, await moveActivity(ctx, params.activityId, body.action)),

  deleteActivity: async (ctx, { params }) => {
    await deleteActivity(ctx, params.activityId)
    return {}
  },
})
