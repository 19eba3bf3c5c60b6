import { service } from '../../../../kernel/contract.ts'
import { Id, Instant, integer, list, nullable, oneOf, Revision, shape, Type, text } from '../../../../kernel/shape.ts'
import { zoneIds } from '../../../../kernel/zones.ts'
import { consequences, obstacles } from './rules.ts'

const Zone = oneOf(zoneIds as ['CN', ...typeof zoneIds])
const Count = integer(0, Number.MAX_SAFE_INTEGER)
const Consequence = shape({ kind: oneOf(consequences), count: Count })

const Region = shape({
  projectId: Id,
  zone: Zone,
  siteId: integer(1, 8),
  revision: Revision,
  /** Each zone and what would happen there. */
  choices: list(
    shape({
      zone: Zone,
      siteId: integer(1, 8),
      isCurrent: Type.Boolean(),
      obstacle: nullable(oneOf(obstacles)),
      consequences: list(Consequence),
      endedServices: list(text(40)),
    }),
  ),
  lastChange: nullable(shape({ fromZone: Zone, toZone: Zone, by: Id, at: Instant })),
})

/** Where a project's data stays, and how that is changed. */
export const projectRegion = service({
  name: 'ground/projects',
  prefix: '/cpms/project-service/v1',
  zone: 'home',
  permissions: ['projects.read', 'projects.delete'],
  errors: {
    zoneHasApps: [
      201030040,
      422,
      'The project has {apps} apps whose data stays in {zone}; make a new project in {wanted}, or move the apps out first.',
    ],
    sameZone: [201030041, 422, 'The project is in {zone} already; choose another zone.'],
    needsEndorsement: [
      201030042,
      422,
      'Services or keys depend on the zone; verify the change first and agree to what happens.',
    ],
    ticketInvalid: [201030043, 403, 'This verification is of another change, was used or has ended; verify again.'],
    notAcknowledged: [201030044, 422, 'Agree to what happens first: {what}.'],
  },
  calls: {
    getRegion: {
      method: 'GET',
      path: '/region',
      who: 'cp',
      may: 'projects.read',
      summary: 'Where a project’s data stays, and what a change to each other zone would mean',
      query: shape({ projectId: Id }),
      answer: Region,
    },
    setRegion: {
      method: 'POST',
      path: '/region',
      who: 'cp',
      may: 'projects.delete',
      summary: 'Sets the zone of a project that holds nothing yet',
      body: shape({ projectId: Id, zone: Zone, revision: Revision }),
      answer: Region,
    },
    verifyChange: {
      method: 'POST',
      path: '/region/modify/verify',
      who: 'cp',
      may: 'projects.delete',
      summary: 'Verifies a change of zone: who asks must have proven within 5 minutes who they are',
      body: shape({ projectId: Id, zone: Zone }),
      answer: shape({
        ticket: Id,
        expireAt: Instant,
        fromZone: Zone,
        toZone: Zone,
        consequences: list(Consequence),
        endedServices: list(text(40)),
      }),
    },
    changeRegion: {
      method: 'PUT',
      path: '/region',
      who: 'cp',
      may: 'projects.delete',
      summary: 'Changes the zone of a project with a verification, and says what became of its services',
      body: shape({
        projectId: Id,
        zone: Zone,
        ticket: Id,
        acknowledged: list(oneOf(consequences)),
        revision: Revision,
      }),
      answer: Region,
    },
  },
})
