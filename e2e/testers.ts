import { betaActivities } from '../src/services/distribute/beta-test/activities/contract.ts'
import { betaGroups } from '../src/services/distribute/beta-test/contract.ts'
import { betaInvitations } from '../src/services/distribute/beta-test/invitations/contract.ts'
import { betaPeople } from '../src/services/distribute/beta-test/people/contract.ts'
import { betaTester } from '../src/services/distribute/beta-test/tester/contract.ts'
import { solidPng } from '../src/services/distribute/packages/apk/png.testkit.ts'
import { versionTests } from '../src/services/distribute/versions/testing/contract.ts'
import { notices } from '../src/services/ground/notices/contract.ts'
import { until, type Visitor } from './loggia.ts'

const day = 86_400_000

/** Groups with people, an import, a link, an open activity and, where a test runs, what a tester said of it. */
export async function fillTesters(owner: Visitor, appId: string): Promise<{ developer: string[]; visitor: string[] }> {
  const friends = await owner.ok(betaGroups, 'createGroup', { body: { appId, name: 'Friends', kind: 'EXTERNAL' } })
  const params = { groupId: friends.groupId }
  const users = [
    { account: 'fay@example.com', nickname: 'Fay' },
    { account: 'gus@example.com', nickname: 'Gus' },
  ]
  await owner.ok(betaPeople, 'addGroupUsers', { params, body: { users } })
  const csv = 'account,nickname\nhal@example.com,Hal\nnobody,Nobody\nfay@example.com,Fay'
  const { bulkId } = await owner.ok(betaPeople, 'importGroupUsers', { params, body: { csv } })
  const link = await owner.ok(betaInvitations, 'createLink', { params, body: { limit: 50 } })
  const startAt = Date.now()
  const { activityId, page } = await openActivity(owner, { appId, startAt })
  await owner.ok(betaActivities, 'createActivity', {
    body: { appId, title: 'Try the night mode', quota: 20, startAt, endAt: startAt + 7 * day },
  })
  await owner.ok(betaInvitations, 'inviteGroup', { params })
  const invited = await pageMailedTo(owner, 'gus@example.com')
  const own = await sayAs(owner, appId)
  const app = `/apps/${appId}`
  return {
    developer: [
      `${app}/testers/${friends.groupId}`,
      ...[`${app}/tester-imports`, `${app}/tester-imports/${bulkId}`],
      ...[`${app}/feedback`, `${app}/feedback?state=RESOLVED`, `${app}/activities`, `${app}/activities?q=none`],
    ],
    visitor: [
      ...['/app/openTest?zone=CN', placeOf(link.page ?? ''), placeOf(page ?? ''), placeOf(invited)],
      ...own.map(placeOf),
      `/app/openTest?zone=CN&token=a${activityId}`,
    ],
  }
}

async function openActivity(owner: Visitor, { appId, startAt }: { appId: string; startAt: number }) {
  const { activityId } = await owner.ok(betaActivities, 'createActivity', {
    body: {
      ...{ appId, title: 'Walk with the new map', quota: 40, startAt, endAt: startAt + 14 * day },
      description: 'Walk for half an hour and tell us where the map is wrong.',
      reward: 'A mug for each of you',
      deviceModels: ['Pixel 9', 'Mate 70'],
    },
  })
  return owner.ok(betaActivities, 'moveActivity', { params: { activityId }, body: { action: 'publish' } })
}

/** A tester of the running test joins and writes; nothing where no test runs. */
async function sayAs(owner: Visitor, appId: string): Promise<string[]> {
  const { list } = await owner.ok(versionTests, 'listTestVersions', { body: { appId, states: ['TESTING'] } })
  const [test] = list
  const groupId = test?.groups[0]?.groupId
  if (!test || !groupId) return []
  await owner.ok(betaInvitations, 'inviteGroup', { params: { groupId } })
  const page = await pageMailedTo(owner, 'crew@example.com')
  const token = /token=([\w-]+)/.exec(page)?.[1] ?? ''
  const { versionId } = test
  await owner.ok(betaTester, 'acceptInvitation', { body: { token } })
  const device = { model: 'Pixel 9', system: 'Android 16', language: 'de-DE' }
  const { ticket } = await owner.ok(betaTester, 'makePictureTicket', { body: { token, versionId, extension: 'png' } })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(solidPng(270, 480))]), 'map.png')
  const sent = await fetch(`${owner.url}/cn${betaTester.prefix}/pictures/${ticket}`, { method: 'POST', body: form })
  const { objectId } = (await sent.json()) as { objectId: string }
  const screenshots = [objectId]
  for (const text of ['The map is upside down when I turn the phone.', 'It is much faster than before, thank you!']) {
    const body = { token, versionId, text, device, ...(text.startsWith('The map') && { screenshots }) }
    await owner.ok(betaTester, 'sendFeedback', { body })
  }
  return [page]
}

export const placeOf = (page: string) => page.slice(page.indexOf('#') + 1)

export async function pageMailedTo(owner: Visitor, account: string): Promise<string> {
  return until(`the mail to ${account}`, async () => {
    const { list } = await owner.ok(notices, 'listMails', { query: { pageSize: 100 } })
    const mail = list.find(one => one.to === account)
    if (!mail) return undefined
    const { text } = await owner.ok(notices, 'getMail', { params: { mailId: mail.mailId } })
    return /https?:\S+openTest\S+/.exec(text)?.[0]
  })
}
