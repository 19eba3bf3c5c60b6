/**
 * What a team may hear of. An example is the event as it is sent; of an event's own data only the fields that its example
 * has go out, so nothing internal leaves by a new field.
 */
export interface EventType {
  type: string
  example: Readonly<Record<string, unknown>>
}

const appId = '736430079244000001'
const projectId = '736430079244000002'
const pkgId = '736430079244000003'
const fromTeamId = '736430079244000006'
const toTeamId = '736430079244000007'
const versionId = '736430079244000005'
const variantId = '736430079244000008'
const accountId = '736430079244000004'
const certSha256 = '8ff760a2a86b487f0c4d60ab5ae565028ff760a2a86b487f0c4d60ab5ae56502'

const expireAt = 1_785_000_000_000
const startAt = expireAt
const ofCert = { certName: 'Release', certType: 2 }
const ofDevice = { deviceName: 'Test phone 1', deviceType: 4 }
const ofComment = { appId, stars: 2, language: 'de', country: 'DE', versionCode: '42' }
const commentId = '736430079244000008'
const ofProfile = { appId, provisionName: 'Beacon release', provisionType: 2 }

const ofExperiment = { projectId, name: 'Green button' }
const experimentMoves: readonly (readonly [type: string, from: string, to: string | null])[] = [
  ['experiment.ready', 'draft', 'ready'],
  ['experiment.edited', 'ready', 'draft'],
  ['experiment.started', 'ready', 'running'],
  ['experiment.paused', 'running', 'paused'],
  ['experiment.resumed', 'paused', 'running'],
  ['experiment.stopped', 'running', 'stopped'],
  ['experiment.archived', 'concluded', 'archived'],
  ['experiment.deleted', 'draft', null],
]

const ofVersion = (from: string | null, to: string) => ({ appId, pkgId, from, to })

const ofTag = { appId, tagId: 10602 }

const changeMoves: readonly (readonly [what: string, from: string, to: string])[] = [
  ['submitted', 'DRAFT', 'SUBMITTED'],
  ['approved', 'SUBMITTED', 'APPROVED'],
  ['rejected', 'SUBMITTED', 'REJECTED'],
  ['withdrawn', 'SUBMITTED', 'DRAFT'],
  ['scheduled', 'APPROVED', 'APPROVED'],
  ['conflict', 'APPROVED', 'CONFLICT'],
  ['published', 'APPROVED', 'PUBLISHED'],
  ['failed', 'APPROVED', 'APPROVED'],
]

const rolloutMoves: readonly (readonly [what: string, from: string, to: string | null, percent: number])[] = [
  ['started', 'draft', 'running', 1],
  ['advanced', 'running', 'running', 5],
  ['approved', 'running', 'running', 10],
  ['paused', 'running', 'paused', 10],
  ['resumed', 'paused', 'running', 10],
  ['rolled_back', 'running', 'rolledBack', 0],
  ['completed', 'running', 'completed', 100],
  ['cancelled', 'paused', 'cancelled', 0],
]

const versionMoves: readonly (readonly [type: string, from: string, to: string])[] = [
  ['version.submitted', 'DRAFT', 'PRECHECK'],
  ['version.precheck.failed', 'PRECHECK', 'PRECHECK_FAILED'],
  ['version.review.queued', 'PRECHECK', 'IN_REVIEW'],
  ['version.review.question', 'IN_REVIEW', 'IN_REVIEW'],
  ['version.approved', 'IN_REVIEW', 'PENDING_RELEASE'],
  ['version.rejected', 'IN_REVIEW', 'REJECTED'],
  ['version.appealed', 'REJECTED', 'IN_REVIEW'],
  ['version.withdrawn', 'IN_REVIEW', 'WITHDRAWN'],
  ['version.time.changed', 'PENDING_RELEASE', 'PENDING_RELEASE'],
  ['version.on_shelf', 'PENDING_RELEASE', 'ON_SHELF'],
  ['version.superseded', 'ON_SHELF', 'SUPERSEDED'],
  ['version.shelfoff.requested', 'ON_SHELF', 'SHELF_OFF_REVIEW'],
  ['version.shelfoff.refused', 'SHELF_OFF_REVIEW', 'ON_SHELF'],
  ['version.off_shelf', 'SHELF_OFF_REVIEW', 'OFF_BY_DEVELOPER'],
  ['version.forced_off', 'ON_SHELF', 'OFF_BY_STORE'],
  ['version.restored', 'OFF_BY_STORE', 'ON_SHELF'],
  ['version.rolled_back', 'ON_SHELF', 'ROLLED_BACK'],
]

const phasedMoves: readonly (readonly [type: string, from: string, to: string])[] = [
  ['phased.started', 'DRAFT', 'RELEASE'],
  ['phased.advanced', 'RELEASE', 'RELEASE'],
  ['phased.paused', 'RELEASE', 'SUSPEND'],
  ['phased.resumed', 'SUSPEND', 'RELEASE'],
  ['phased.completed', 'RELEASE', 'COMPLETE'],
  ['phased.cancelled', 'RELEASE', 'CANCEL'],
  ['phased.rolled_back', 'RELEASE', 'ROLLED_BACK'],
]

const materialMoves: readonly (readonly [type: string, from: string, to: string])[] = [
  ['material.submitted', 'DRAFT', 'AUDITING'],
  ['material.cancelled', 'AUDITING', 'DRAFT'],
  ['material.approved', 'AUDITING', 'READY'],
  ['material.rejected', 'AUDITING', 'AUDIT_REJECTED'],
  ['material.started', 'READY', 'RUNNING'],
  ['material.deleted', 'STOPPED', 'DELETED'],
]
const ofTest = { appId, name: 'Brighter icon' }

export const eventTypes: readonly EventType[] = [
  { type: 'project.created', example: { name: 'Beacon', zone: 'DE' } },
  { type: 'project.updated', example: { name: 'Beacon' } },
  { type: 'project.deleted', example: { name: 'Beacon', zone: 'DE' } },
  { type: 'app.created', example: { projectId, name: 'Beacon', packageType: 'ANDROID' } },
  { type: 'app.updated', example: {} },
  { type: 'app.deleted', example: {} },
  { type: 'app.frozen', example: {} },
  { type: 'app.unfrozen', example: {} },
  ...['created', 'accepted', 'refused', 'canceled', 'expired', 'failed', 'done', 'received'].map(step => ({
    type: `app.move.${step}`,
    example: { appIds: [appId], fromTeamId, toTeamId, zone: 'DE' },
  })),
  { type: 'package.uploaded', example: { appId, fileName: 'beacon-2.0.apk' } },
  { type: 'package.ready', example: { appId, from: 'CHECKING', to: 'READY' } },
  { type: 'package.failed', example: { appId, from: 'CHECKING', to: 'FAILED' } },
  { type: 'package.deleted', example: { appId } },
  { type: 'signing.mode.changed', example: { appId, from: 'DEVELOPER', to: 'STORE', certSha256 } },
  { type: 'signing.key.rotated', example: { appId, certSha256, before: certSha256 } },
  { type: 'signing.upload_cert.changed', example: { appId, from: null, to: 'PENDING', certSha256 } },
  { type: 'immersive.submitted', example: { appId, from: 'DRAFT', to: 'AUDITING' } },
  { type: 'immersive.approved', example: { appId, from: 'AUDITING', to: 'APPROVED' } },
  { type: 'immersive.rejected', example: { appId, from: 'AUDITING', to: 'REJECTED' } },
  { type: 'material.created', example: ofTest },
  ...materialMoves.map(([type, from, to]) => ({ type, example: { ...ofTest, from, to } })),
  { type: 'material.stopped', example: { ...ofTest, from: 'RUNNING', to: 'STOPPED', stopReason: 'MAX_DAYS' } },
  { type: 'material.applied', example: { ...ofTest, from: 'STOPPED', to: 'APPLIED', variantId } },
  { type: 'qualification.submitted', example: { ...ofTag, from: 'TO_SUBMIT', to: 'WAITING' } },
  { type: 'qualification.asked', example: { ...ofTag, from: 'WAITING', to: 'WAITING' } },
  { type: 'qualification.passed', example: { ...ofTag, from: 'WAITING', to: 'PASSED' } },
  { type: 'qualification.failed', example: { ...ofTag, from: 'WAITING', to: 'FAILED', reason: '' } },
  { type: 'qualification.revoked', example: { ...ofTag, from: 'PASSED', to: 'VOID', reason: '' } },
  { type: 'qualification.expiring', example: { ...ofTag, expireAt, daysLeft: 30 } },
  { type: 'qualification.expired', example: { ...ofTag, from: 'PASSED', to: 'EXPIRED' } },
  { type: 'qualification.lapsed', example: ofTag },
  { type: 'recordal.filed', example: { appId, from: 'NONE', to: 'CHECKING' } },
  { type: 'recordal.checked', example: { appId, from: 'CHECKING', to: 'MATCH' } },
  { type: 'cert.issued', example: { ...ofCert, sha256: certSha256, expireAt } },
  { type: 'cert.revoked', example: { ...ofCert, sha256: certSha256, expireAt } },
  { type: 'cert.expiring', example: { ...ofCert, expireAt, daysLeft: 30 } },
  { type: 'cert.expired', example: ofCert },
  { type: 'device.added', example: ofDevice },
  { type: 'device.renamed', example: { deviceName: 'Test phone 1' } },
  { type: 'device.removed', example: ofDevice },
  { type: 'profile.issued', example: { ...ofProfile, expireAt } },
  { type: 'profile.refreshed', example: ofProfile },
  { type: 'profile.invalidated', example: { ...ofProfile, reason: 'CERT_REVOKED' } },
  { type: 'profile.expiring', example: { ...ofProfile, expireAt, daysLeft: 30 } },
  { type: 'profile.expired', example: ofProfile },
  { type: 'profile.deleted', example: ofProfile },
  { type: 'comment.created', example: ofComment },
  { type: 'comment.updated', example: ofComment },
  { type: 'comment.deleted', example: { appId } },
  { type: 'comment.reported', example: { appId, policyId: 'SPAM' } },
  { type: 'comment.kept', example: { appId, policyId: 'SPAM' } },
  { type: 'comment.hidden', example: { appId, policyId: 'SPAM' } },
  { type: 'comment.restored', example: { appId } },
  { type: 'reply.published', example: { appId, commentId } },
  { type: 'reply.rejected', example: { appId, commentId } },
  { type: 'reply.deleted', example: { appId, commentId } },
  { type: 'remote_config.published', example: { projectId, kind: 'client', version: 7, origin: 'CONSOLE' } },
  ...changeMoves.map(([what, from, to]) => ({
    type: `remote_config.change_${what}`,
    example: { projectId, kind: 'client', title: 'Sale in June', from, to, reason: '' },
  })),
  ...rolloutMoves.map(([what, from, to, percent]) => ({
    type: `remote_config.rollout_${what}`,
    example: { projectId, kind: 'client', name: 'New button', parameter: 'button', from, to, percent, reason: '' },
  })),
  { type: 'series.changed', example: { action: 'add', appId } },
  { type: 'cutover.planned', example: { seriesId: appId, startAt, countries: ['CN'] } },
  { type: 'cutover.started', example: { seriesId: appId, from: 'PLANNED', to: 'ACTIVE', countries: ['CN'] } },
  { type: 'cutover.canceled', example: { seriesId: appId, from: 'PLANNED', to: 'CANCELED', reason: 'BY_TEAM' } },
  { type: 'version.created', example: { appId } },
  { type: 'version.forward.failed', example: { appId, pkgId, isReady: false } },
  ...versionMoves.map(([type, from, to]) => ({ type, example: ofVersion(from, to) })),
  ...phasedMoves.map(([type, from, to]) => ({
    type,
    example: { appId, versionId, from, to, percent: '5.00', reason: '' },
  })),
  {
    type: 'phased.gate_tripped',
    example: {
      ...{ appId, versionId, metric: 'crashRate', op: '>', limit: 2, value: 3.4, devices: 250 },
      ...{ action: 'PAUSE', did: 'pause' },
    },
  },
  { type: 'experiment.created', example: ofExperiment },
  { type: 'experiment.updated', example: { ...ofExperiment, fields: ['exposurePercent'] } },
  ...experimentMoves.map(([type, from, to]) => ({ type, example: { ...ofExperiment, from, to } })),
  { type: 'experiment.concluded', example: { ...ofExperiment, from: 'stopped', to: 'concluded', outcome: 'shipped' } },
  { type: 'experiment.phase_started', example: { ...ofExperiment, phase: 2, changes: ['weights'] } },
  { type: 'experiment.unhealthy', example: { ...ofExperiment, phase: 1, p: 0.0001 } },
  { type: 'team.member_joined', example: { accountId, roles: ['developer'] } },
  { type: 'team.member_removed', example: { accountId } },
  { type: 'team.roles_changed', example: { accountId } },
  { type: 'team.leader_changed', example: { accountId } },
]

export const testType = 'webhook.test'

const byType = new Map(eventTypes.map(one => [one.type, one]))

export function isEventType(type: string): boolean {
  return byType.has(type)
}

/** What happened, as a receiver reads it: type and time beside `data`, as Standard Webhooks has it. */
export function payloadOf(event: {
  type: string
  at: number
  eventId: string
  teamId: string
  zone: string
  entity: string
  entityId: string
  data: Readonly<Record<string, unknown>>
}): Record<string, unknown> {
  const { type, at, eventId, teamId, zone, entity, entityId, data } = event
  const shown = Object.keys(byType.get(type)?.example ?? {}).filter(name => data[name] !== undefined)
  const more = Object.fromEntries(shown.map(name => [name, data[name]]))
  return { type, timestamp: new Date(at).toISOString(), data: { eventId, teamId, zone, entity, entityId, ...more } }
}

/** The same for what did not happen: the catalogue's example. */
export function examplePayload(type: string, teamId: string, zone: string, at: number): Record<string, unknown> {
  const entity = type.slice(0, type.indexOf('.'))
  const data = byType.get(type)?.example ?? {}
  return payloadOf({ type, at, eventId: '736430079244000009', teamId, zone, entity, entityId: appId, data })
}
