import { comments } from '../src/services/distribute/comments/contract.ts'
import { deviceComments } from '../src/services/distribute/comments/devices/contract.ts'
import { store } from '../src/services/distribute/store/contract.ts'
import { type Loggia, until, Visitor } from './loggia.ts'

const said = [
  { stars: 5, title: 'Exactly what I needed', text: 'Simple, quick, and it works without a network.', nickname: 'Ada' },
  { stars: 4, text: '界面很清晰，希望增加深色模式。', nickname: '小林', language: 'zh-CN', country: 'CN' },
  { stars: 2, text: 'После обновления открывается десять секунд.', nickname: 'Пётр', language: 'ru', country: 'RU' },
  { stars: 1, title: 'Spam', text: 'Visit my page for followers <b>now</b>!', nickname: 'Promo', country: 'US' },
] as const

/** What people say of an app on the shelf: one comment is answered, one reported, and one device gave stars alone. */
export async function sayThings(
  loggia: Loggia,
  owner: Visitor,
  { appId, versionId, packageName }: { appId: string; versionId: string; packageName: string },
): Promise<void> {
  const anybody = new Visitor(loggia.url)
  const params = { packageName }
  const ids: string[] = []
  for (const [at, words] of said.entries()) {
    const deviceId = `e2e-comments-${at}`
    await anybody.ok(store, 'reportEvents', { body: { deviceId, events: [{ type: 'install_ok', versionId }] } })
    const body = { deviceId, deviceSecret: `secret-of-the-device-number-${at}-`.padEnd(40, 'x'), ...words }
    ids.push((await anybody.ok(deviceComments, 'writeComment', { params, body })).commentId)
  }
  const events = [
    { type: 'install_ok' as const, versionId },
    { type: 'rate' as const, versionId, stars: 5 },
  ]
  await anybody.ok(store, 'reportEvents', { body: { deviceId: 'e2e-comments-rates', events } })
  const [, , slow = '', spam = ''] = ids
  const text = 'Thank you for telling us. Version 2.1 opens in less than a second.'
  await owner.ok(comments, 'createReply', { body: { commentId: slow, text } })
  await owner.ok(comments, 'reportComment', { body: { commentId: spam, policyId: 'SPAM', note: 'An advertisement' } })
  await until('the reply and the stars', async () => {
    const { list } = await owner.ok(comments, 'listReplies', { query: { appId } })
    const { overall } = await owner.ok(comments, 'getCommentStats', { query: { appId } })
    return list[0]?.state === 'VISIBLE' && overall.count === 5
  })
}
