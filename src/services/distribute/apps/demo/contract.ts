import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, nullable, shape, text } from '../../../../kernel/shape.ts'

const Demo = shape({
  projectId: Id,
  appId: Id,
  name: text(64),
  /** The charts end here: the last instant of yesterday, UTC. */
  dataUntil: Instant,
  createdAt: Instant,
})

/** A project to look at before there is one of one's own: an app with versions and numbers that are made up. */
export const demoProject = service({
  name: 'distribute/apps',
  prefix: '/amis/app-manage/v1',
  zone: 'current',
  permissions: ['apps.read', 'apps.create'],
  errors: {},
  calls: {
    getDemoProject: {
      method: 'GET',
      path: '/demo-project',
      who: 'cp',
      may: 'apps.read',
      summary: 'The demo project of the team in this zone; null while nobody asked for one',
      answer: shape({ demo: nullable(Demo) }),
    },
    makeDemoProject: {
      method: 'POST',
      path: '/demo-project',
      who: 'cp',
      may: 'apps.create',
      summary: 'Makes the demo project, or answers the one there is; it is read-only',
      answer: Demo,
    },
  },
})
