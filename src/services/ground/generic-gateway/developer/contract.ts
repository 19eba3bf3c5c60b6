import { service } from '../../../../kernel/contract.ts'
import { flag, Id, Instant, nullable, oneOf, shape, Type } from '../../../../kernel/shape.ts'
import { Invocation, Payload } from '../contract.ts'

const Words = shape({ zh: Type.String(), en: Type.String(), ru: Type.String() })

export const developerService = service({
  name: 'ground/generic-gateway',
  prefix: '/dss/developer-service/v1',
  zone: 'current',
  permissions: [],
  errors: {},
  calls: {
    gwService: {
      method: 'POST',
      path: '/hms/gwService',
      who: 'cp',
      may: 'none',
      summary: 'Makes a call by its name, as the generic gateway does',
      transaction: false,
      body: Invocation,
      answer: Payload,
    },
    previewActivity: {
      method: 'GET',
      path: '/activity/preview/:activityId',
      who: 'cp',
      may: 'none',
      team: 'none',
      zone: 'home',
      summary:
        'Shows an activity as people will see it: an announcement or a slot of the billboard, the unpublished ones to staff who write them',
      params: shape({ activityId: Id }),
      answer: shape({
        activityId: Id,
        kind: oneOf(['announcement', 'billboard']),
        title: Words,
        text: Words,
        href: nullable(Type.String()),
        startAt: nullable(Instant),
        endAt: nullable(Instant),
        state: Type.String(),
        isPublished: flag(),
      }),
    },
  },
})
