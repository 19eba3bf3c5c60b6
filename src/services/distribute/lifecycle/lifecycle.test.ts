import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { videoHits } from '../../../kernel/film.ts'
import { systemContext } from '../../../server/context.ts'
import { openStage, type Person, type Stage } from '../../../testkit/stage.ts'
import { filmOf } from '../../ground/files/tasks/film.testkit.ts'
import { newApp, processed, realPackages, uploadBytes } from '../packages/packages.testkit.ts'
import { lifecyclePhones } from '../packages/phones/contract.ts'
import { reviewDesk } from '../review/desk/contract.ts'
import { decideTask, draftVersion, handIn } from '../review/review.testkit.ts'
import { versions } from '../versions/contract.ts'
import { lifecycle } from './contract.ts'
import { lifecycleDesk } from './desk/contract.ts'
import { forgetOld } from './detecting.ts'
import { bitsApart } from './pictures/detect.ts'
import { pictureHits } from './pictures/look.ts'
import { forgetWords } from './ratings.ts'
import { limits } from './rules.ts'

let stage: Stage
let owner: Person
let operator: Person
let reviewer: Person
beforeAll(async () => {
  stage = await openStage()
  owner = await stage.person()
  operator = await stage.person({ staff: ['storeOperator'] })
  reviewer = await stage.person({ staff: ['reviewer'] })
})
afterAll(() => stage.close())

/** A picture with something on it: circles where the seed says. */
async function drawing(seed: number, width = 800, height = 800): Promise<Buffer> {
  const at = (n: number) => (seed * 137 + n * 71) % 100
  const circles = Array.from({ length: 9 }, (_, n) => {
    const colour = `hsl(${at(n) * 3},80%,${20 + (at(n + 3) % 60)}%)`
    return `<circle cx="${at(n)}%" cy="${at(n + 7)}%" r="${5 + (at(n + 5) % 25)}%" fill="${colour}"/>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${circles.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

const put = (bytes: Buffer, who = owner, name = 's.png', tag = 'app_img') => uploadBytes(stage, who, bytes, name, tag)

async function lookedAt(objectIds: string[], appId?: string, who = owner) {
  const body = { objectIds, ...(appId && { appId }) }
  const { taskId, state } = await who.ok(lifecycle, 'detectPictures', { body })
  expect(state).toBe('RUNNING')
  await stage.settle()
  return who.ok(lifecycle, 'getDetection', { query: { taskId } })
}

describe('texts', () => {
  it('are judged by the words that staff keep', async () => {
    const body = { texts: [{ text: 'Shows a casino' }, { text: 'Zebrafinch inside', field: 'appName' as const }] }
    const before = await owner.ok(lifecycle, 'detectContext', { body })
    expect(before).toMatchObject({
      state: 'DONE',
      verdict: 'BLOCK',
      hits: [{ rule: 'word.banned', index: 0, at: 8, seen: 'casino' }],
    })
    const word = {
      language: 'en' as const,
      word: 'Zebrafinch',
      topic: 'other' as const,
      level: 'WARN' as const,
      isOff: false,
      note: '',
    }
    expect((await owner.call(lifecycleDesk, 'saveWord', { body: word })).status).toBe(403)
    await operator.ok(lifecycleDesk, 'saveWord', { body: word })
    const twice = await operator.call(lifecycleDesk, 'saveWord', { body: { ...word, word: 'ＺEBRAFINCH' } })
    expect([twice.status, twice.body.ret.code]).toEqual([409, 202130004])
    const { list } = await operator.ok(lifecycleDesk, 'listWords', { query: { search: 'casino', language: 'en' } })
    const { wordId, updatedAt: _at, ...known } = list[0]!
    await operator.ok(lifecycleDesk, 'saveWord', { body: { ...known, wordId, isOff: true } })
    const stale = await operator.call(lifecycleDesk, 'saveWord', { body: { ...known, wordId, isOff: false } })
    expect(stale.status).toBe(409)
    const after = await owner.ok(lifecycle, 'detectContext', { body })
    expect(after.hits.map(hit => [hit.index, hit.seen])).toEqual([[1, 'Zebrafinch']])
    expect(
      (await operator.ok(lifecycleDesk, 'listWords', { query: { language: 'zh', topic: 'banned' } })).total,
    ).toBeGreaterThan(5)
  })

  it('are not kept, only what was found; and nobody else sees that', async () => {
    const secret = 'Our next product is called Heliotrope. Write to boss@example.org'
    const { taskId } = await owner.ok(lifecycle, 'detectContext', { body: { texts: [{ text: secret }] } })
    const rows = await stage.sql('CN', 'SELECT * FROM lifecycle_detections WHERE task_id = $1', [taskId])
    expect(JSON.stringify(rows)).not.toContain('Heliotrope')
    const stranger = await stage.person()
    expect((await stranger.call(lifecycle, 'getDetection', { query: { taskId } })).status).toBe(404)
    const analyst = await stage.person({ team: owner.teamId, roles: ['analyst'] })
    expect((await analyst.call(lifecycle, 'detectContext', { body: { texts: [{ text: 'x' }] } })).status).toBe(403)
    const { appId } = await newApp(stranger)
    expect((await owner.call(lifecycle, 'detectContext', { body: { appId, texts: [{ text: 'x' }] } })).status).toBe(404)
    const system = systemContext(stage.booted.server, 'CN', { name: 'test' })
    await stage.sql('CN', 'UPDATE lifecycle_detections SET created_at = $2 WHERE task_id = $1', [
      taskId,
      stage.clock.now() - limits.keptMs - 1,
    ])
    await system.transact(forgetOld)
    expect((await owner.call(lifecycle, 'getDetection', { query: { taskId } })).status).toBe(404)
  })
})

describe('pictures', () => {
  it('that are blank, small, unreadable or there twice are told', async () => {
    const blank = await sharp({ create: { width: 720, height: 1280, channels: 3, background: '#3355aa' } })
      .png()
      .toBuffer()
    const right = await drawing(1)
    const broken = Buffer.concat([right.subarray(0, right.length - 600), Buffer.alloc(600)])
    const again = await sharp(right).resize(600, 600).jpeg({ quality: 70 }).toBuffer()
    const ids = await Promise.all([
      put(blank),
      put(right),
      put(broken),
      put(again, owner, 's.jpg'),
      put(await drawing(2, 100, 100)),
    ])
    const { hits, verdict } = await lookedAt(ids)
    expect(verdict).toBe('BLOCK')
    expect(hits.map(hit => [hit.index, hit.rule])).toEqual([
      [0, 'picture.blank'],
      [2, 'picture.unreadable'],
      [3, 'picture.twice'],
      [4, 'picture.small'],
    ])
  })

  it('of another app’s listing are found, made smaller and saved anew, and it is not told whose they are', async () => {
    const other = await stage.person()
    const { appId, versionId } = await draftVersion(stage, other, 'Original')
    const art = await drawing(33, 840, 840)
    const artId = await put(art, other)
    await stage.sql(
      'CN',
      `UPDATE listings SET screenshots = jsonb_set(screenshots, '{0,images,0,objectId}', to_jsonb($2::text)) WHERE version_id = $1`,
      [versionId, artId],
    )
    await handIn(stage, other, versionId)
    const { list } = await reviewer.ok(reviewDesk, 'listTasks', { query: { search: appId, state: 'QUEUED' } })
    await decideTask(reviewer, list[0]?.taskId ?? '', 'APPROVE')
    await stage.settle()
    expect((await other.ok(versions, 'getVersion', { query: { appId } })).onShelf?.versionId).toBe(versionId)
    const copy = await put(await sharp(art).resize(720, 720).jpeg({ quality: 60 }).toBuffer(), owner, 's.jpg')
    const found = await lookedAt([copy, await put(await drawing(5))])
    expect(found.hits.map(hit => [hit.index, hit.rule])).toEqual([[0, 'picture.duplicate']])
    expect(JSON.stringify(found)).not.toContain(appId)
    expect((await lookedAt([artId], appId, other)).hits).toEqual([])
  })

  it('of another team are not looked at, and a team has a few detections under way', async () => {
    const stranger = await stage.person()
    const foreign = await put(await drawing(7), stranger)
    expect((await owner.call(lifecycle, 'detectPictures', { body: { objectIds: [foreign] } })).status).toBe(404)
    const own = await put(await drawing(8))
    await stage.sql(
      'CN',
      `INSERT INTO lifecycle_detections (task_id, team_id, kind, state, hits, subjects, created_by, created_at)
      SELECT 900 + n, $1, 'PICTURES', 'RUNNING', '[]', '{}', 1, 1 FROM generate_series(1, 10) AS n`,
      [owner.teamId],
    )
    const full = await owner.call(lifecycle, 'detectPictures', { body: { objectIds: [own] } })
    expect([full.status, full.body.ret.code]).toEqual([429, 202130001])
    await stage.sql('CN', `DELETE FROM lifecycle_detections WHERE created_at = 1`)
  })

  it.each([
    ['one colour', 1, 800, 800, 'picture.blank'],
    ['hardly anything', 5, 800, 800, 'picture.flat'],
    ['small', 40, 100, 800, 'picture.small'],
    ['a ribbon', 40, 300, 1500, 'picture.narrow'],
  ])('by their numbers: %s', (_says, deviation, width, height, rule) => {
    const facts = { deviation, width, height, format: 'png', isAnimated: false, sharpness: 1, hash: null }
    expect(pictureHits(facts).map(hit => hit.rule)).toContain(rule)
  })

  it('are as far apart as the bits that differ', () => {
    expect([bitsApart('0', '0'), bitsApart('-1', '0'), bitsApart('7', '1')]).toEqual([0, 64, 2])
  })
})

describe('a video', () => {
  it('is read, and what is none is told', async () => {
    const id = await put(filmOf(1280, 720, 30), owner, 'v.mp4', 'app_video')
    const { taskId } = await owner.ok(lifecycle, 'detectVideo', { body: { objectId: id } })
    await stage.settle()
    const { hits, state } = await owner.ok(lifecycle, 'getDetection', { query: { taskId } })
    expect(state).toBe('DONE')
    expect(hits.map(hit => hit.rule)).toEqual(['video.silent'])
    const text = await put(Buffer.from('no film at all'), owner, 'v.txt', 'tmp')
    const none = await owner.ok(lifecycle, 'detectVideo', { body: { objectId: text } })
    await stage.settle()
    const read = await owner.ok(lifecycle, 'getDetection', { query: { taskId: none.taskId } })
    expect(read.hits.map(hit => hit.rule)).toEqual(['video.unreadable'])
  })

  const right = {
    width: 1280,
    height: 720,
    durationMs: 30_000,
    container: 'MPEG-4',
    codec: 'AVC',
    audioCodec: 'AAC',
    rotation: null,
  }
  it.each([
    ['right', {}, []],
    ['too short', { durationMs: 14_999 }, ['video.short']],
    ['too long', { durationMs: 120_001 }, ['video.long']],
    ['small', { height: 480 }, ['video.small']],
    ['another codec', { codec: 'VP9' }, ['video.codec']],
    ['silent', { audioCodec: null }, ['video.silent']],
    ['lying on its side', { rotation: 90 }, ['video.rotated']],
  ])('that is %s', (_says, change, rules) => {
    expect(videoHits({ ...right, ...change }).map(hit => hit.rule)).toEqual(rules)
  })
})

describe('fit', () => {
  it('of an app is looked for in its package, device by device', async () => {
    const { appId } = await newApp(owner)
    expect((await owner.ok(lifecycle, 'getFit', { params: { appId } })).detection).toBeNull()
    const early = await owner.call(lifecycle, 'detectFit', { params: { appId } })
    expect([early.status, early.body.ret.code]).toEqual([422, 202130002])
    const { pkgId } = await processed(stage, owner, { appId, file: realPackages.settings9, usage: 'TEST_ONLY' })
    const { version } = await owner.ok(versions, 'getVersion', { query: { appId } })
    const { versionId } = version ?? (await owner.ok(versions, 'createVersion', { body: { appId } }))
    await stage.sql('CN', 'UPDATE versions SET pkg_id = $2 WHERE version_id = $1', [versionId, pkgId])
    const made = await owner.ok(lifecycle, 'detectFit', { params: { appId } })
    expect(made.subjects).toEqual(['4', '5', '6', '7', '8', '9'])
    const rules = made.hits.filter(hit => made.subjects[hit.index] === '8').map(hit => hit.rule)
    expect(rules).toContain('fit.watch')
    expect((await owner.ok(lifecycle, 'getFit', { params: { appId } })).detection?.taskId).toBe(made.taskId)
    const stranger = await stage.person()
    expect((await stranger.call(lifecycle, 'getFit', { params: { appId } })).status).toBe(404)
  })
})

describe('what staff keep', () => {
  const words = (en: string) => ({ zh: '一', en, ru: 'Раз' })
  const row = (kind: 'DEMO' | 'COPYRIGHT' | 'VANTEST' | 'ALPHA', en: string) => ({
    kind,
    titles: words(en),
    texts: words(en),
    isShown: true,
  })

  it('is read by developers: demos in their order, hidden ones not', async () => {
    await operator.ok(lifecycleDesk, 'saveRow', { body: { ...row('DEMO', 'Second'), place: 2 } })
    const first = await operator.ok(lifecycleDesk, 'saveRow', {
      body: { ...row('DEMO', 'First'), place: 1, link: 'https://example.org' },
    })
    await operator.ok(lifecycleDesk, 'saveRow', { body: { ...row('DEMO', 'Hidden'), isShown: false } })
    const { list } = await owner.ok(lifecycle, 'listDemos', {})
    expect(list.map(one => one.titles.en)).toEqual(['First', 'Second'])
    expect((await operator.ok(lifecycleDesk, 'listRows', { query: { kind: 'DEMO' } })).total).toBe(3)
    const { rowId, kind, titles, texts, isShown } = first
    const body = { ...{ rowId, kind, titles, texts, isShown }, revision: 7 }
    expect((await operator.call(lifecycleDesk, 'saveRow', { body })).status).toBe(409)
    await operator.ok(lifecycleDesk, 'deleteRow', { query: { rowId } })
    expect((await operator.call(lifecycleDesk, 'deleteRow', { query: { rowId } })).status).toBe(404)
    const script = await operator.call(lifecycleDesk, 'saveRow', {
      body: { ...row('DEMO', 'Bad'), link: 'javascript:alert(1)' },
    })
    expect(script.status).toBe(400)
  })

  it('has rules of copyright papers by country and category', async () => {
    await operator.ok(lifecycleDesk, 'saveRow', {
      body: { ...row('COPYRIGHT', 'China'), countries: ['CN'], kindTags: [10101] },
    })
    await operator.ok(lifecycleDesk, 'saveRow', { body: row('COPYRIGHT', 'Everywhere') })
    const ask = async (body: { countries?: string[]; kindMainTag?: number }) =>
      (await owner.ok(lifecycle, 'queryCopyrightRules', { body })).list.map(one => one.titles.en)
    expect(await ask({ countries: ['CN', 'DE'], kindMainTag: 10101 })).toEqual(['China', 'Everywhere'])
    expect([await ask({ countries: ['DE'] }), await ask({ kindMainTag: 1 })]).toEqual([['Everywhere'], ['Everywhere']])
    const wrong = await operator.call(lifecycleDesk, 'saveRow', {
      body: { ...row('COPYRIGHT', 'X'), countries: ['ZZ'] },
    })
    expect(wrong.status).toBe(400)
  })

  it('has crowd-test activities that come, run and are over by the clock', async () => {
    const now = stage.clock.now()
    const body = { ...row('VANTEST', 'Spring'), startAt: now + 1000, endAt: now + 60_000 }
    const { rowId: activityId } = await operator.ok(lifecycleDesk, 'saveRow', { body })
    const state = async () => (await owner.ok(lifecycle, 'getActivity', { params: { activityId } })).state
    expect(await state()).toBe('COMING')
    stage.clock.turn(1000)
    expect(await state()).toBe('RUNNING')
    expect((await owner.ok(lifecycle, 'listActivities', { query: { state: 'RUNNING' } })).total).toBe(1)
    stage.clock.turn(60_000)
    expect(await state()).toBe('OVER')
    const backwards = await operator.call(lifecycleDesk, 'saveRow', { body: { ...body, endAt: now } })
    expect([backwards.status, backwards.body.ret.code]).toEqual([422, 202130005])
    expect((await owner.call(lifecycle, 'getActivity', { params: { activityId: '7' } })).status).toBe(404)
  })

  it('has the criteria by which a team rates its own alpha', async () => {
    const { rowId } = await operator.ok(lifecycleDesk, 'saveRow', { body: row('ALPHA', 'Looks') })
    const { appId } = await newApp(owner)
    const mate = await stage.person({ team: owner.teamId, roles: ['developer'] })
    await owner.ok(lifecycle, 'rateAlpha', { body: { appId, scores: { [rowId]: 5 }, note: 'Bright' } })
    await mate.ok(lifecycle, 'rateAlpha', { body: { appId, scores: { [rowId]: 2 } } })
    const again = await mate.ok(lifecycle, 'rateAlpha', { body: { appId, scores: { [rowId]: 4 } } })
    expect(again.revision).toBe(2)
    const rating = await owner.ok(lifecycle, 'getAlphaRating', { query: { appId } })
    expect(rating).toMatchObject({
      average: 450,
      byCriterion: [{ rowId, average: 450, count: 2 }],
      own: { scores: { [rowId]: 5 } },
    })
    const unknown = await owner.call(lifecycle, 'rateAlpha', { body: { appId, scores: { '77': 5 } } })
    expect([unknown.status, unknown.body.ret.code]).toEqual([422, 202130003])
    const system = systemContext(stage.booted.server, 'CN', { name: 'test' })
    await system.transact(ctx => forgetWords(ctx, owner.accountId))
    const erased = await owner.ok(lifecycle, 'getAlphaRating', { query: { appId } })
    expect([erased.average, erased.notes.map(one => one.note)]).toEqual([450, ['', '']])
    const stranger = await stage.person()
    expect((await stranger.call(lifecycle, 'getAlphaRating', { query: { appId } })).status).toBe(404)
  })

  it('and the devices of packages, by the same handler', async () => {
    expect((await owner.ok(lifecyclePhones, 'listPhones', {})).total).toBeGreaterThan(10)
  })
})
