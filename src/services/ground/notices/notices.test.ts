import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { notices as contract } from './contract.ts'
import { local, noticeTools } from './notices.testkit.ts'
import { notify } from './public.ts'

let stage: Stage
let tools: ReturnType<typeof noticeTools>
let li: Person
beforeAll(async () => {
  stage = await openStage({ zones: ['CN', 'DE'] })
  tools = noticeTools(stage)
  li = await tools.mailPerson('en')
})
afterAll(() => stage.close())

describe('the settings', () => {
  it('are a whole matrix with what is locked, what is missing here and why', async () => {
    const answer = await li.ok(contract, 'getSettings')
    expect(answer.settings).toHaveLength(20)
    const locked = answer.settings.filter(cell => cell.locked).map(cell => `${cell.category}.${cell.channel}`)
    expect(locked).toEqual(['security.inbox', 'security.email', 'billing.email'])
    expect(answer.settings.filter(cell => cell.category === 'marketing' && cell.enabled)).toEqual([])
    expect(answer.channels).toEqual([
      { channel: 'inbox', available: true, reason: null, address: null },
      { channel: 'email', available: true, reason: null, address: `${li.loginName}@team.example` },
      { channel: 'sms', available: false, reason: 'noProvider', address: null },
      { channel: 'push', available: false, reason: 'noProvider', address: null },
    ])
    const nameless = await stage.person()
    const { channels } = await nameless.ok(contract, 'getSettings')
    expect(channels[1]).toMatchObject({ available: false, reason: 'noAddress' })
  })

  it('keep what is changed and count their revision', async () => {
    const person = await stage.person()
    await tools.choose(person, {
      settings: [{ category: 'marketing', channel: 'inbox', enabled: true }],
      digest: 'weekly',
    })
    const answer = await person.ok(contract, 'getSettings')
    const on = answer.settings.find(cell => cell.category === 'marketing' && cell.channel === 'inbox')
    expect([on?.enabled, answer.digest, answer.revision]).toEqual([true, 'weekly', 2])
    const again = await person.call(contract, 'putSettings', {
      body: { settings: [], digest: 'off', digestAt: '09:00', timeZone: 'UTC', revision: 1 },
    })
    expect([again.status, again.body['revision']]).toEqual([409, 2])
  })

  it.each([
    [
      'a locked cell',
      { settings: [cell('review', 'email', false), cell('security', 'email', false)] },
      '/settings/1/enabled',
    ],
    ['a channel that is not here', { settings: [cell('review', 'sms', true)] }, '/settings/0/enabled'],
    ['a cell twice', { settings: [cell('review', 'email', false), cell('review', 'email', true)] }, '/settings/1'],
    ['a time zone that is none', { timeZone: 'Mars/Olympus' }, '/timeZone'],
    ['a time that is none', { digestAt: '24:00' }, '/digestAt'],
    ['another word', { digest: 'hourly' }, '/digest'],
  ])('refuse %s with its pointer and change nothing', async (_what, change, pointer) => {
    const before = await li.ok(contract, 'getSettings')
    const body = {
      settings: [],
      digest: 'off',
      digestAt: '09:00',
      timeZone: 'UTC',
      revision: before.revision,
      ...change,
    }
    const reply = await li.call(contract, 'putSettings', { body: body as never })
    expect([reply.status, reply.body.fields?.map(field => field.pointer)]).toEqual([400, [pointer]])
    expect(await li.ok(contract, 'getSettings')).toEqual(before)
  })

  it('take back what they answered', async () => {
    const { channels: _, ret: __, ...body } = await li.ok(contract, 'getSettings')
    expect((await li.call(contract, 'putSettings', { body })).status).toBe(200)
  })

  function cell(category: string, channel: string, enabled: boolean) {
    return { category, channel, enabled }
  }
})

describe('the inbox', () => {
  let reader: Person
  beforeAll(async () => {
    reader = await stage.person()
    for (const title of ['one', 'two', 'three'])
      await tools.tell({ accountIds: [reader.accountId] }, { category: 'review', title })
    await tools.tell({ accountIds: [reader.accountId] }, { category: 'operations', title: 'four', href: '/apps/1' })
  })

  it('lists the newest first, by pages, category and what is unread, and since a notice', async () => {
    const first = await reader.ok(contract, 'listNotices', { query: { pageSize: 3 } })
    expect([first.total, first.list.map(one => one.title.en)]).toEqual([4, ['four', 'three', 'two']])
    const second = await reader.ok(contract, 'listNotices', { query: { cursor: first.nextCursor ?? '' } })
    expect([second.list.map(one => one.title.ru), second.nextCursor]).toEqual([['one (по-русски)'], null])
    const ofReview = await reader.ok(contract, 'listNotices', { query: { category: 'review' } })
    expect(ofReview.total).toBe(3)
    const since = await reader.ok(contract, 'listNotices', { query: { since: first.list[1]?.noticeId ?? '' } })
    expect(since.list.map(one => one.title.en)).toEqual(['four'])
  })

  it('counts what is unread, and one or all of a category can be read, or unread again', async () => {
    const { list } = await reader.ok(contract, 'listNotices')
    const unread = async () => (await reader.ok(contract, 'countUnread')).unread
    expect(await reader.ok(contract, 'countUnread')).toMatchObject({ unread: 4, latestId: list[0]?.noticeId })
    const params = { noticeId: list[0]?.noticeId ?? '' }
    const read = await reader.ok(contract, 'markRead', { params, body: { read: true } })
    expect([read.readAt === null, await unread()]).toEqual([false, 3])
    expect((await reader.ok(contract, 'listNotices', { query: { unread: true } })).total).toBe(3)
    await reader.ok(contract, 'markRead', { params, body: { read: false } })
    const upTo = list[2]?.noticeId ?? ''
    expect(await reader.ok(contract, 'markAllRead', { body: { category: 'review', upTo } })).toMatchObject({
      marked: 2,
    })
    expect(await unread()).toBe(2)
  })

  it('loses what is deleted', async () => {
    const { list } = await reader.ok(contract, 'listNotices')
    const params = { noticeId: list[0]?.noticeId ?? '' }
    await reader.ok(contract, 'deleteNotice', { params })
    expect((await reader.ok(contract, 'listNotices')).total).toBe(3)
    expect((await reader.call(contract, 'deleteNotice', { params })).status).toBe(404)
  })

  it('is nobody else’s', async () => {
    const { list } = await reader.ok(contract, 'listNotices')
    const params = { noticeId: list[0]?.noticeId ?? '' }
    expect((await li.call(contract, 'markRead', { params, body: { read: true } })).status).toBe(404)
    expect((await li.call(contract, 'deleteNotice', { params })).status).toBe(404)
    expect((await li.ok(contract, 'listNotices')).list.some(one => one.title.en === 'four')).toBe(false)
  })

  it('stays in its zone', async () => {
    await tools.system('DE').transact(ctx =>
      notify(ctx, {
        ...{ to: { accountIds: [reader.accountId] }, category: 'review', kind: 'test.told', entityId: '1' },
        ...{ title: local('in Europe'), text: local('') },
      }),
    )
    const titles = async (zone: 'CN' | 'DE') =>
      (await reader.ok(contract, 'listNotices', { zone })).list.map(one => one.title.en)
    expect([await titles('DE'), (await titles('CN')).includes('in Europe')]).toEqual([['in Europe'], false])
  })

  it('tells a team: its active members with the permission who reach the thing', async () => {
    const lead = await stage.person()
    const others = await Promise.all(
      [['developer' as const], [], ['developer' as const]].map(roles => stage.person({ team: lead.teamId, roles })),
    )
    const [developer, roleless, elsewhere] = others as [Person, Person, Person]
    await stage.sql('home', 'UPDATE members SET scope = $2 WHERE account_id = $1', [
      elsewhere.accountId,
      JSON.stringify({ projects: [], apps: ['77'] }),
    ])
    const about = { appId: '5', projectId: '6' }
    await tools.tell(
      { teamId: lead.teamId, permission: 'versions.edit', about },
      { category: 'review', title: 'of app 5' },
    )
    const got = async (person: Person) =>
      (await person.ok(contract, 'listNotices', { query: { category: 'review' } })).total
    expect(await Promise.all([lead, developer, roleless, elsewhere].map(got))).toEqual([1, 1, 0, 0])
  })

  it('refuses a link out of the console', async () => {
    for (const href of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a b']) {
      const telling = tools.tell({ accountIds: [reader.accountId] }, { category: 'review', title: 'x', href })
      await expect(telling).rejects.toThrow('page of the console')
    }
  })
})

describe('a mail', () => {
  it('goes at once, in the person’s language, with a link that ends such mails', async () => {
    const people = await Promise.all((['zh', 'en', 'ru'] as const).map(language => tools.mailPerson(language)))
    const accountIds = people.map(one => one.accountId)
    await tools.tell({ accountIds }, { category: 'review', title: 'Passed', href: '/apps/1' })
    await stage.settle()
    const [zh, en, ru] = await Promise.all(people.map(async one => (await tools.mailsTo(one))[0]))
    expect([zh?.subject, en?.subject, ru?.subject]).toEqual(['Passed（中）', 'Passed', 'Passed (по-русски)'])
    expect(zh?.text).toContain('Li Na，您好')
    expect(ru?.text).toContain('Настройки уведомлений: http://localhost:8080/#/notices/settings')
    expect(en?.text).toContain('Open in Loggia: http://localhost:8080/#/apps/1')
    expect(en?.html).toContain('href="http://localhost:8080/#/apps/1"')
    expect(en?.text).toMatch(/Stop these mails: http:\/\/localhost:8080\/notice\/notice\/v1\/unsubscribe\?token=/)
  })

  it('about the account cannot be turned off and has no such link', async () => {
    await tools.tell({ accountIds: [li.accountId] }, { category: 'security', title: 'Careful' })
    await stage.settle()
    const mail = (await tools.mailsTo(li)).at(-1)
    expect(mail?.subject).toBe('Careful')
    expect(mail?.text).not.toContain('unsubscribe')
  })

  it('shows what people typed as text: no header, no tag, no template', async () => {
    const title = 'App\r\nBcc: x@evil.example <script>alert(1)</script> {{7*7}} \u0024{7*7} <%= 7*7 %> #{7*7}'
    await tools.tell({ accountIds: [li.accountId] }, { category: 'security', title })
    await stage.settle()
    const mail = (await tools.mailsTo(li)).at(-1)
    expect(mail?.subject).toMatch(/^App Bcc: x@evil\.example <script>/)
    expect(mail?.html).not.toContain('<script>')
    expect(mail?.html).toContain('{{7*7}} \u0024{7*7}')
    expect(mail?.html).not.toContain('49')
  })

  it('does not go to who turned it off, nor to who has no address', async () => {
    const quiet = await tools.mailPerson('en')
    await tools.choose(quiet, { settings: [{ category: 'review', channel: 'email', enabled: false }] })
    const nameless = await stage.person()
    await tools.tell({ accountIds: [quiet.accountId, nameless.accountId] }, { category: 'review', title: 'Unheard' })
    await stage.settle()
    expect((await stage.mails()).filter(mail => mail.subject === 'Unheard')).toEqual([])
    expect((await quiet.ok(contract, 'countUnread')).unread).toBe(1)
  })

  it('ends with one POST of its link, for its category alone; opening the link changes nothing', async () => {
    const person = await tools.mailPerson('en')
    await tools.tell({ accountIds: [person.accountId] }, { category: 'review', title: 'First' })
    await stage.settle()
    const url = /Stop these mails: (\S+)/.exec((await tools.mailsTo(person))[0]?.text ?? '')?.[1] ?? ''
    const path = url.replace('http://localhost:8080', '')
    const opened = await stage.app.inject({ url: path, headers: { host: 'evil.example' } })
    expect([opened.statusCode, opened.headers.location]).toEqual([
      303,
      expect.stringMatching(/^http:\/\/localhost:8080\/#\/unsubscribe\?token=/),
    ])
    const isOn = async () =>
      (await person.ok(contract, 'getSettings')).settings.filter(cell => cell.channel === 'email' && cell.enabled)
    expect(await isOn()).toHaveLength(4)
    for (const broken of [
      `${path}x`,
      path.replace('review', 'operations'),
      path.replace(person.accountId, li.accountId),
    ]) {
      expect((await stage.app.inject({ method: 'POST', url: broken })).statusCode).toBe(400)
    }
    const posted = await stage.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect([posted.statusCode, posted.json().what]).toEqual([200, 'review'])
    expect((await isOn()).map(cell => cell.category)).toEqual(['security', 'billing', 'operations'])
    await tools.tell({ accountIds: [person.accountId] }, { category: 'review', title: 'Second' })
    await stage.settle()
    expect(await tools.mailsTo(person)).toHaveLength(1)
  })

  it('that ran twice in a job goes once', async () => {
    const person = await tools.mailPerson('en')
    await tools.tell({ accountIds: [person.accountId] }, { category: 'review', title: 'Once' })
    await stage.settle()
    await stage.sql(
      'CN',
      `UPDATE jobs SET state = 'queued', attempts = 0 WHERE kind = 'notices.mail' AND state = 'done'`,
    )
    const jobs = await stage.sql<{ job_id: string }>(
      'CN',
      `SELECT job_id FROM jobs WHERE kind = 'notices.mail' ORDER BY 1`,
    )
    await tools
      .system()
      .transact(ctx =>
        ctx.server.deliver('CN', jobs.at(-1)?.job_id ?? '', (text, values) =>
          ctx.transaction('CN').query(text, values),
        ),
      )
    await stage.sql('CN', `UPDATE jobs SET state = 'done' WHERE kind = 'notices.mail' AND job_id <> $1`, [
      jobs.at(-1)?.job_id,
    ])
    await stage.settle()
    expect(await tools.mailsTo(person)).toHaveLength(1)
  })
})

describe('events', () => {
  it('of the account and the team are told to whom they concern, once however often they come', async () => {
    const lead = await tools.mailPerson('ru')
    const member = await stage.person({ team: lead.teamId, roles: ['developer'] })
    const emit = (type: string, accountId: string) =>
      tools.system().transact(async ctx => {
        const data = { accountId, teamId: lead.teamId, userAgent: 'Firefox', ip: '192.0.2.7' }
        ctx.emit({ type, entity: 'account', entityId: accountId, teamId: lead.teamId, data }, 'home')
      })
    await emit('session.new_device', lead.accountId)
    await emit('team.roles_changed', member.accountId)
    await emit('team.leader_changed', member.accountId)
    await emit('team.nothing_known', member.accountId)
    await stage.settle()
    await stage.sql('home', `UPDATE outbox SET relayed_at = NULL, attempts = 0 WHERE type LIKE 'session.new%'`)
    await stage.sql('home', `DELETE FROM event_receipts WHERE listener = 'notices.accounts'`)
    await stage.settle()
    const kinds = async (one: Person) =>
      (await one.ok(contract, 'listNotices', { query: { pageSize: 100 } })).list.map(notice => notice.kind).sort()
    expect(await kinds(member)).toEqual(expect.arrayContaining(['team.leader_changed', 'team.roles_changed']))
    const ofLead = await kinds(lead)
    expect(ofLead).toEqual(expect.arrayContaining(['team.leader_changed', 'team.member_joined']))
    const mail = (await tools.mailsTo(lead)).find(
      one => one.subject === 'Вход с нового устройства' && one.text.includes('192.0.2.7'),
    )
    expect(mail?.text).toContain('Firefox · 192.0.2.7')
    const device = (await stage.mails()).filter(
      one => one.to.startsWith(lead.loginName) && one.text.includes('192.0.2.7'),
    )
    expect(device).toHaveLength(1)
  })
})

describe('kept mails', () => {
  it('are shown to the administrator of a machine of one’s own, html in a sandbox', async () => {
    const admin = await stage.person({ staff: ['storeAdministrator'] })
    const { list, total } = await admin.ok(contract, 'listMails', { query: { pageSize: 5 } })
    expect([list.length, total > 5]).toEqual([5, true])
    const params = { mailId: list[0]?.mailId ?? '' }
    const mail = await admin.ok(contract, 'getMail', { params })
    expect(mail.headers.map(header => header.name)).toEqual(
      expect.arrayContaining(['From', 'To', 'Subject', 'Message-ID']),
    )
    expect(mail.hasHtml).toBe(true)
    const html = await admin.call(contract, 'getMailHtml', { params })
    expect(html.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'self'; sandbox$/)
    expect(html.text).toContain('<!doctype html>')
    expect((await admin.call(contract, 'getMail', { params: { mailId: '../master.key' } })).status).toBe(404)
    const reviewer = await stage.person({ staff: ['reviewer'] })
    expect((await reviewer.call(contract, 'listMails')).status).toBe(403)
  })

  it('are not shown where the console has a public address', async () => {
    const admin = await stage.person({ staff: ['storeAdministrator'] })
    const { config } = stage.booted.server
    for (const publicUrl of ['http://loggia.example', 'http://localhost.evil.example', 'http://192.168.1.5']) {
      const before = config.publicUrl
      config.publicUrl = publicUrl
      expect((await admin.call(contract, 'listMails')).body.ret.code).toBe(201070002)
      config.publicUrl = before
    }
  })
})
