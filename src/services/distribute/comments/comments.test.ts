import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { orchestration } from '../../ground/orchestration/contract.ts'
import { newDevice, type Shelved, said, shelvedApp, write } from './comments.testkit.ts'
import { comments } from './contract.ts'
import { commentDesk } from './desk/contract.ts'
import { deviceComments } from './devices/contract.ts'
import { reviews } from './reviews/contract.ts'
import { limits } from './rules.ts'

let stage: Stage
let owner: Person
let app: Shelved
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  app = await shelvedApp(stage, owner)
})
afterAll(() => stage.close())

const query = (body: object, who = owner) => who.ok(comments, 'queryComments', { body: { appId: app.appId, ...body } })
const reply = (commentId: string, text = 'Thank you, it is better in 1.8.', who = owner) =>
  who.call(comments, 'createReply', { body: { commentId, text } })
const shown = async (one = app) =>
  (await stage.anybody.ok(deviceComments, 'listComments', { params: { packageName: one.packageName } })).list
const types = async (entityId: string) =>
  (await stage.sql('CN', 'SELECT type FROM outbox WHERE entity_id = $1 ORDER BY event_id', [entityId])).map(
    row => row['type'],
  )

describe('a developer', () => {
  it('finds comments by each of the filters, and together', async () => {
    app = await shelvedApp(stage, owner)
    const one = await said(stage, app, { stars: 1, text: 'Слишком медленно', language: 'ru', country: 'RU' })
    stage.clock.turn(1000)
    const two = await said(stage, app, { stars: 5, text: '100% perfect_app', language: 'en-US', country: 'US' })
    await reply(two.commentId)
    const found = async (body: object) => (await query(body)).list.map(row => row.commentId)
    const [a, b] = [one.commentId, two.commentId]
    const wanted: [object, string[]][] = [
      [{}, [b, a]],
      [{ stars: [1, 2] }, [a]],
      [{ language: 'en' }, [b]],
      [{ country: 'RU' }, [a]],
      [{ versionCode: '7' }, [b, a]],
      [{ versionCode: '8' }, []],
      [{ hasReply: true }, [b]],
      [{ hasReply: false }, [a]],
      [{ keyword: 'МЕДЛЕННО' }, [a]],
      [{ keyword: '100%' }, [b]],
      [{ keyword: '%' }, [b]],
      [{ from: two.createdAt }, [b]],
      [{ to: two.createdAt }, [a]],
      [{ stars: [5], hasReply: false }, []],
      [{ sort: 'starsLow' }, [a, b]],
      [{ isTest: true }, []],
    ]
    for (const [wish, ids] of wanted) expect([wish, await found(wish)]).toEqual([wish, ids])
    const { body } = await owner.call(comments, 'queryComments', { body: { appId: app.appId, from: 5, to: 5 } })
    expect(body.fields?.[0]?.pointer).toBe('/from')
  })

  it('sees in numbers what people think, and how fast they are answered', async () => {
    const one = await shelvedApp(stage, owner)
    const start = stage.clock.now()
    const rows = []
    for (const [stars, country] of [
      [5, 'DE'],
      [4, 'DE'],
      [1, 'CN'],
    ] as const) {
      rows.push(await said(stage, one, { stars, country, language: 'de', text: `From ${country}` }))
    }
    for (const [at, { commentId }] of rows.slice(0, 2).entries()) {
      stage.clock.turn((at + 1) * 60_000)
      await reply(commentId)
    }
    const stats = await owner.ok(comments, 'getCommentStats', { query: { appId: one.appId } })
    expect(stats).toMatchObject({
      ...{ count: 3, histogram: [1, 1, 0, 0, 1], average: 3.33, display: 3.5, withText: 3, replied: 2 },
      countries: [
        { country: 'DE', count: 2, average: 4.5, histogram: [1, 1, 0, 0, 0] },
        { country: 'CN', count: 1, average: 1 },
      ],
      languages: [{ language: 'de', count: 3 }],
      versions: [{ versionCode: '7', versionName: '1.7', count: 3 }],
      days: [{ day: new Date(start).toISOString().slice(0, 10), count: 3 }],
    })
    expect(stats.replyRate).toBeCloseTo(2 / 3)
    expect(stats.medianReplyMs).toBeGreaterThan(60_000)
    expect(stats.medianReplyMs).toBeLessThan(180_000)
    const range = { appId: one.appId, from: 0, to: start }
    const tooLong = await owner.call(comments, 'getCommentStats', { query: range })
    expect([tooLong.status, tooLong.body.fields?.[0]?.pointer]).toEqual([400, '/from'])
    const before = await owner.ok(comments, 'getCommentStats', { query: { ...range, from: start - 86_400_000 } })
    expect([before.count, before.overall.count, before.replyRate]).toEqual([0, 3, null])
  })

  it('replies once; people read it after the check, and the text before while a new one waits', async () => {
    const one = await shelvedApp(stage, owner)
    const { commentId } = await said(stage, one, { stars: 2 })
    const first = await reply(commentId, '<p>Sorry!</p> We <b>fix</b> it.')
    expect([first.status, first.body.state, first.body.text]).toEqual([200, 'PENDING_CHECK', 'Sorry! We fix it.'])
    await stage.settle()
    expect((await shown(one))[0]?.reply?.text).toBe('Sorry! We fix it.')
    const again = await reply(commentId)
    expect([again.status, again.body.ret.code]).toEqual([409, comments.errors.replyExists[0]])
    const { list } = await owner.ok(comments, 'listReplies', { query: { commentId } })
    const { replyId, revision, state, allowedActions } = list[0]!
    expect(revision).toBe(first.body.revision)
    expect([state, allowedActions]).toEqual(['VISIBLE', ['edit', 'delete']])
    const body = { replyId, text: 'Play in our casino instead', revision }
    await owner.ok(comments, 'updateReply', { body })
    const stale = await owner.call(comments, 'updateReply', { body })
    expect([stale.status, stale.body['revision']]).toEqual([409, revision + 1])
    await stage.settle()
    const review = await owner.ok(reviews, 'getReview', { params: { reviewId: commentId } })
    expect(review.reply).toMatchObject({ state: 'REJECTED', reason: 'casino', shownText: 'Sorry! We fix it.' })
    expect((await shown(one))[0]?.reply?.text).toBe('Sorry! We fix it.')
    expect(await types(replyId)).toEqual(['reply.submitted', 'reply.published', 'reply.submitted', 'reply.rejected'])
    const notices = await stage.sql('CN', `SELECT 1 FROM notices WHERE kind = 'reply.rejected' AND entity_id = $1`, [
      replyId,
    ])
    expect(notices).toHaveLength(1)
    await owner.ok(comments, 'deleteReply', { query: { replyId } })
    expect((await shown(one))[0]?.reply).toBeNull()
    expect((await reply(commentId)).status).toBe(200)
  })

  it('of two replies at once one is kept; of two edits at once, too', async () => {
    const { commentId } = await said(stage, await shelvedApp(stage, owner))
    const both = await Promise.all([reply(commentId, 'One'), reply(commentId, 'Two')])
    expect(both.map(one => one.status).sort()).toEqual([200, 409])
    const params = { reviewId: commentId }
    const { reply: kept } = await owner.ok(reviews, 'getReview', { params })
    const edits = await Promise.all(
      ['Three', 'Four'].map(text =>
        owner.call(reviews, 'updateReviewReply', { params, body: { text, revision: kept!.revision } }),
      ),
    )
    expect(edits.map(one => one.status).sort()).toEqual([200, 409])
  })

  it('does the same by the other face, over the same rows', async () => {
    const one = await shelvedApp(stage, owner)
    const { commentId } = await said(stage, one)
    const params = { reviewId: commentId }
    const made = await owner.ok(reviews, 'createReviewReply', { params, body: { text: 'Thanks' } })
    const { list } = await owner.ok(comments, 'listReplies', { query: { appId: one.appId } })
    expect(list.map(row => row.replyId)).toEqual([made.replyId])
    expect((await owner.ok(reviews, 'listReviewReplies', { params })).total).toBe(1)
    await owner.ok(reviews, 'deleteReviewReply', { params })
    expect((await owner.ok(reviews, 'listReviewReplies', { params })).total).toBe(0)
  })

  it('hears whether there is something new since each member looked', async () => {
    const one = await shelvedApp(stage, owner)
    const ask = (who: Person) => who.ok(reviews, 'hasNewReview', { query: { appId: one.appId } })
    const other = await stage.person({ team: owner.teamId, roles: ['customerService'] })
    expect(await ask(owner)).toMatchObject({ hasNewReview: false, count: 0, seenAt: null })
    await said(stage, one)
    expect(await ask(owner)).toMatchObject({ hasNewReview: true, count: 1 })
    stage.clock.turn(1)
    await owner.ok(comments, 'markSeen', { body: { appId: one.appId } })
    expect([(await ask(owner)).hasNewReview, (await ask(other)).hasNewReview]).toEqual([false, true])
    stage.clock.turn(3_700_000)
    await stage.settle()
    await stage.booted.worker.sweep()
    const told = await stage.sql('CN', `SELECT 1 FROM notices WHERE kind = 'comment.created' AND entity_id = $1`, [
      one.appId,
    ])
    expect(told.length).toBeGreaterThanOrEqual(2)
    // The turned clock has ended his session.
    owner = await stage.person()
  })

  it('takes them along as a file in which nothing is a formula', async () => {
    const one = await shelvedApp(stage, owner)
    await said(stage, one, { text: '=HYPERLINK("http://evil.example","Click")', nickname: '@SUM(A1)' })
    const csv = await owner.call(comments, 'exportComments', { query: { appId: one.appId, format: 'csv' } })
    expect(csv.status).toBe(200)
    const cells = csv.text.split('\r\n')[1]!.split(/(?<="),(?=")|,/)
    expect(cells.filter(cell => /^"?[=@]/.test(cell))).toEqual([])
    expect(csv.text).toContain('HYPERLINK')
    const xlsx = await owner.call(comments, 'exportComments', { query: { appId: one.appId, format: 'xlsx' } })
    expect([xlsx.status, xlsx.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  })
})

describe('a reported comment', () => {
  it('is shown until staff hide it; then neither it nor its stars count, and it stays hidden when rewritten', async () => {
    const one = await shelvedApp(stage, owner)
    const { commentId, device } = await said(stage, one, { stars: 1, text: 'Buy my followers' })
    const body = { commentId, policyId: 'SPAM' as const, note: 'An advertisement' }
    const reported = await owner.ok(comments, 'reportComment', { body })
    expect([reported.state, reported.report]).toEqual(['APPEALED', { policyId: 'SPAM', state: 'OPEN', answer: '' }])
    const twice = await owner.call(comments, 'reportComment', { body })
    expect([twice.status, twice.body.ret.code]).toEqual([422, 204160001])
    expect(await shown(one)).toHaveLength(1)
    const reviewer = await stage.person({ staff: ['reviewer'] })
    const { list } = await reviewer.ok(commentDesk, 'listReports', { query: { pageSize: 100 } })
    const report = list.find(row => row.comment.commentId === commentId)!
    expect([report.appName, report.note]).toEqual(['Notes', 'An advertisement'])
    const verdict = { reportId: report.reportId, verdict: 'hide' as const, revision: report.revision }
    const both = await Promise.all([1, 2].map(() => reviewer.call(commentDesk, 'decideReport', { body: verdict })))
    expect(both.map(reply => reply.status).sort()).toEqual([200, 409])
    expect(await shown(one)).toEqual([])
    expect(await types(commentId)).toEqual(['comment.created', 'comment.reported', 'comment.hidden'])
    const stats = await owner.ok(comments, 'getCommentStats', { query: { appId: one.appId } })
    expect(stats.count).toBe(0)
    expect((await reply(commentId)).body.ret.code).toBe(comments.errors.notForReply[0])
    const params = { packageName: one.packageName }
    const { comment } = await stage.anybody.ok(deviceComments, 'getOwnComment', { params, body: device })
    const again = await write(stage, one, device, { text: 'Harmless', revision: comment!.revision })
    expect([again.status, again.body.isHidden, await shown(one)]).toEqual([200, true, []])
    const { revision } = again.body
    await stage.anybody.ok(deviceComments, 'deleteComment', { params, body: { ...device, revision } })
    const anew = await write(stage, one, device, { text: 'Once more' })
    expect([anew.status, anew.body.ret.code]).toEqual([403, comments.errors.barred[0]])
  })

  it('may be kept, and a hidden one shown again', async () => {
    const one = await shelvedApp(stage, owner)
    const { commentId } = await said(stage, one, { stars: 1 })
    const reviewer = await stage.person({ staff: ['reviewer'] })
    const decide = async (verdict: 'keep' | 'hide') => {
      await owner.ok(comments, 'reportComment', { body: { commentId, policyId: 'OFF_TOPIC' } })
      const { list } = await reviewer.ok(commentDesk, 'listReports', { query: { pageSize: 100 } })
      const { reportId, revision } = list.find(row => row.comment.commentId === commentId)!
      return reviewer.ok(commentDesk, 'decideReport', { body: { reportId, revision, verdict, answer: 'Looked at it' } })
    }
    const kept = await decide('keep')
    expect([kept.state, kept.comment.state, kept.comment.report?.answer]).toEqual(['KEPT', 'VISIBLE', 'Looked at it'])
    const hidden = await decide('hide')
    expect(hidden.comment.allowedActions).toEqual(['restore'])
    const body = { commentId, revision: hidden.comment.revision }
    const back = await reviewer.ok(commentDesk, 'restoreComment', { body })
    expect([back.state, (await shown(one)).length]).toEqual(['VISIBLE', 1])
  })

  it('is not judged by a member of the team, nor by who may only look', async () => {
    const one = await shelvedApp(stage, owner)
    const { commentId } = await said(stage, one, { stars: 1 })
    await owner.ok(comments, 'reportComment', { body: { commentId, policyId: 'HATE' } })
    const partial = await stage.person({ staff: ['reviewer'], team: owner.teamId, roles: ['developer'] })
    const { list } = await partial.ok(commentDesk, 'listReports', { query: { pageSize: 100 } })
    const { reportId, revision } = list.find(row => row.comment.commentId === commentId)!
    const body = { reportId, revision, verdict: 'hide' as const }
    const refused = await partial.call(commentDesk, 'decideReport', { body })
    expect([refused.status, refused.body.ret.code]).toEqual([403, comments.errors.ofOwnTeam[0]])
    const operator = await stage.person({ staff: ['storeOperator'] })
    expect((await operator.call(commentDesk, 'decideReport', { body })).status).toBe(403)
  })

  it('is one of at most twenty a day', async () => {
    const team = await stage.person()
    const one = await shelvedApp(stage, team)
    const { commentId } = await said(stage, one)
    for (let at = 0; at < limits.reportsPerDay; at++) {
      await stage.sql(
        'CN',
        `INSERT INTO comment_reports (report_id, team_id, app_id, comment_id, policy_id, note, state, reported_by, created_at)
        VALUES ($1, $2, $3, $1, 'SPAM', '', 'KEPT', 1, $4)`,
        [stage.booted.server.ids.next(), team.teamId, one.appId, stage.clock.now()],
      )
    }
    const body = { commentId, policyId: 'SPAM' as const }
    const more = await team.call(comments, 'reportComment', { body })
    expect([more.status, more.body.ret.code]).toEqual([429, comments.errors.reportsMany[0]])
    await stage.sql('CN', 'UPDATE comment_reports SET created_at = created_at - 86400000 WHERE team_id = $1', [
      team.teamId,
    ])
    expect((await team.call(comments, 'reportComment', { body })).status).toBe(200)
  })
})

describe('others', () => {
  it("another team's comments and replies are 404, in both faces, and who only looks changes nothing", async () => {
    const one = await shelvedApp(stage, owner)
    const { commentId } = await said(stage, one)
    const { body: made } = await reply(commentId)
    const { replyId, revision } = made
    const stranger = await stage.person()
    const params = { reviewId: commentId }
    const edit = { text: 'Stolen', revision }
    const tries = (who: Person) =>
      Promise.all([
        who.call(comments, 'updateReply', { body: { replyId, ...edit } }),
        who.call(comments, 'deleteReply', { query: { replyId } }),
        who.call(reviews, 'updateReviewReply', { params, body: edit }),
        who.call(reviews, 'deleteReviewReply', { params }),
        who.call(comments, 'reportComment', { body: { commentId, policyId: 'SPAM' } }),
        reply(commentId, 'Ours now', who),
      ])
    expect((await tries(stranger)).map(one_ => one_.status)).toEqual(Array(6).fill(404))
    const looks = await Promise.all([
      stranger.call(reviews, 'getReview', { params }),
      stranger.call(comments, 'listReplies', { query: { commentId } }),
      stranger.call(comments, 'queryComments', { body: { appId: one.appId } }),
      stranger.call(comments, 'getCommentStats', { query: { appId: one.appId } }),
      stranger.call(comments, 'exportComments', { query: { appId: one.appId, format: 'csv' } }),
      stranger.call(reviews, 'hasNewReview', { query: { appId: one.appId } }),
      stranger.call(comments, 'markSeen', { body: { appId: one.appId } }),
    ])
    expect(looks.map(one_ => one_.status)).toEqual(Array(7).fill(404))
    const analyst = await stage.person({ team: owner.teamId, roles: ['analyst'] })
    expect((await tries(analyst)).map(one_ => one_.status)).toEqual(Array(6).fill(403))
    expect((await analyst.ok(reviews, 'getReview', { params })).commentId).toBe(commentId)
  })

  it('comments on test versions are for their developer alone', async () => {
    const one = await shelvedApp(stage, owner)
    const { commentId } = await said(stage, one, { text: 'On the shelf' })
    await stage.sql('CN', 'UPDATE comments SET is_test = true WHERE comment_id = $1', [commentId])
    expect(await shown(one)).toEqual([])
    const { list } = await owner.ok(comments, 'queryComments', { body: { appId: one.appId, isTest: true } })
    expect(list.map(row => row.commentId)).toEqual([commentId])
    expect((await owner.ok(comments, 'getCommentStats', { query: { appId: one.appId } })).overall.count).toBe(0)
    const device = newDevice()
    const none = await stage.anybody.call((await import('./devices/contract.ts')).testComments, 'writeTestComment', {
      body: { token: 'unone', deviceId: device.deviceId, packageName: one.packageName, stars: 5, text: 'Hello' },
    })
    expect(none.status).toBe(404)
  })

  it.each(['comment', 'harmony-comment'])('the processes of %s ask, filter, answer and change', async definition => {
    const one = await shelvedApp(stage, owner)
    const bad = await said(stage, one, { stars: 1, text: 'Does not start' })
    await said(stage, one, { stars: 5 })
    const invoke = async (process: string, body: object) => {
      const params = { definition, process }
      const headers = { 'idempotency-key': `${definition}-${process}-${Object.keys(body).length}` }
      const { status, body: answer } = await owner.call(orchestration, 'invokeByPath', { params, body, headers })
      expect([status, answer.partial]).toEqual([200, []])
      return answer.data
    }
    const asked = await invoke('queryDevComment', { appId: one.appId, stars: [1], hasReply: false, pageSize: 10 })
    expect(asked).toMatchObject({
      app: { appId: one.appId, name: 'Notes' },
      comments: { total: 1, nextCursor: null, list: [{ commentId: bad.commentId, text: 'Does not start' }] },
      stats: { count: 2, histogram: [1, 0, 0, 0, 1], withText: 2, replied: 0, overall: { count: 2 } },
    })
    const made = await invoke('manageDevComment', { commentId: bad.commentId, text: 'Fixed in 1.8' })
    const { reply: first } = made as { reply: { replyId: string; revision: number; text: string } }
    expect(first.text).toBe('Fixed in 1.8')
    const { replyId, revision } = first
    const changed = await invoke('manageDevComment', { replyId, text: 'Fixed in 1.9', revision })
    expect(changed).toMatchObject({ reply: { replyId, text: 'Fixed in 1.9', revision: revision + 1 } })
    const after = await invoke('queryDevComment', {
      appId: one.appId,
      hasReply: true,
      sort: 'newest',
      pageSize: 5,
      from: 1,
    })
    expect(after).toMatchObject({ comments: { total: 1, list: [{ reply: { replyId, text: 'Fixed in 1.9' } }] } })
  })
})
