import { inTurns, print, words } from './measure.ts'
import { type Stand, withStand } from './stand.ts'

/**
 * What a call of the line costs when there is ten times as much: two Loggias side by side, one with ten times the teams,
 * apps and versions of the other, the caller's own team grown with them.
 */
const small = { teams: 100, ownApps: 50, apps: 1_000, versionsOfApp: 5 }
const large = { teams: 1_000, ownApps: 500, apps: 10_000, versionsOfApp: 5 }
type Size = typeof small

/** Copies each row found `times` times with other values in some columns; `k` counts the copies. */
function copies(table: string, where: string, times: number, changed: Record<string, string>): string {
  const pairs = Object.entries(changed).map(([column, value]) => `'${column}', ${value}`)
  return `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(r) || jsonb_build_object(${pairs.join(', ')}))).*
    FROM (SELECT * FROM ${table} WHERE ${where}) r, generate_series(1, ${times}) k`
}

async function grow(stand: Stand, size: Size): Promise<{ projectId: string; appId: string; versionId: string }> {
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(stand.address + path, {
      method: 'POST',
      headers: { ...stand.headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (reply.status !== 200) throw new Error(`${path} answered ${await reply.text()}`)
    return (await reply.json()) as Record<string, string>
  }
  const { projectId = '' } = await post('/cpms/project-management-service/v1/projects', { name: 'First' })
  const app = {
    projectId,
    name: 'First',
    packageType: 'ANDROID',
    defaultLang: 'enUS',
    deviceTypes: [4],
    kindMainTag: 10101,
  }
  const { appId = '' } = await post('/amis/app-manage/v1/app', app)
  const first = await fetch(`${stand.address}/amis/version-manage/v1/app/version?appId=${appId}`, {
    headers: stand.headers,
  })
  const { version } = (await first.json()) as { version: { versionId: string } }
  const { versionId } = version

  const other = (own: number) => `CASE WHEN k <= ${own} THEN r.team_id ELSE r.team_id + 1 + k % ${size.teams} END`
  await stand.asOwner(
    'home',
    copies('accounts', `home_team_id = ${stand.teamId}`, size.teams, {
      account_id: 'r.account_id + k',
      login_name: `r.login_name || '-' || k`,
      login_key: `r.login_key || '-' || k`,
      home_team_id: 'r.home_team_id + k',
    }),
  )
  await stand.asOwner(
    'home',
    copies('members', `team_id = ${stand.teamId}`, size.teams, {
      team_id: 'r.team_id + k',
      account_id: 'r.account_id + k',
    }),
  )
  await stand.asOwner(
    'home',
    copies('teams', `team_id = ${stand.teamId}`, size.teams, {
      team_id: 'r.team_id + k',
      leader_account_id: 'r.leader_account_id + k',
    }),
  )
  await stand.asOwner(
    'home',
    copies('projects', `project_id = ${projectId}`, size.apps / 5, {
      project_id: 'r.project_id + k',
      // More than a page of them in the smaller team too, so that both answer as much.
      team_id: other(size.ownApps / 2),
      name: `r.name || ' ' || k`,
      name_key: `r.name_key || ' ' || k`,
      created_at: 'r.created_at + k',
      updated_at: 'r.updated_at + k',
    }),
  )
  await stand.asOwner(
    'cn',
    copies('apps', `app_id = ${appId}`, size.apps, {
      app_id: 'r.app_id + k',
      team_id: other(size.ownApps),
      open_version_id: 'r.open_version_id + k',
      name: `r.name || ' ' || k`,
      created_at: 'r.created_at + k',
      updated_at: 'r.updated_at + k',
    }),
  )
  for (const table of ['versions', 'listings'])
    await stand.asOwner(
      'cn',
      copies(table, `version_id = ${versionId}`, size.apps, {
        version_id: 'r.version_id + k',
        ...(table === 'versions' ? { app_id: 'r.app_id + k' } : { app_name: `r.app_name || ' ' || k` }),
        team_id: other(size.ownApps),
      }),
    )
  await stand.asOwner(
    'cn',
    copies('versions', `state = 'DRAFT'`, size.versionsOfApp - 1, {
      version_id: 'r.version_id + 1000000 * k',
      state: `'SUPERSEDED'`,
    }),
  )
  for (const database of ['home', 'cn'] as const) await stand.asOwner(database, 'VACUUM ANALYZE')
  return { projectId, appId, versionId }
}

const records = (
  size: Size,
) => `INSERT INTO store_records (version_id, app_id, team_id, zone, package_name, version_code,
    version_name, sha256, size_bytes, object_id, signers, min_sdk, target_sdk, abis, permissions, listings, default_locale,
    countries, state, on_shelf_at, changed_at)
  SELECT app * 100 + code, app, 1, 'CN', 'com.example.app' || app, code, '1.' || code, md5(app || ' ' || code) || md5('x' || app),
    1000, 'cn/2026010112/' || app || '.apk', ARRAY[repeat('a', 64)], 24, 34, ARRAY['arm64-v8a'], '[]',
    jsonb_build_object('en', jsonb_build_object('name', 'App ' || app, 'brief', 'b', 'description', 'd', 'releaseNotes', 'New',
      'icon', null, 'screenshots', '[]'::jsonb)), 'en', '{}', CASE WHEN code = 5 THEN 'on_shelf' ELSE 'superseded' END, 1, 1
  FROM generate_series(1, ${size.apps}) app, generate_series(1, ${size.versionsOfApp}) code`

const device = JSON.stringify({
  deviceId: 'device-1',
  packages: [
    {
      packageName: 'com.example.app500',
      versionCode: '3',
      certSha256: 'a'.repeat(64),
      abis: ['arm64-v8a'],
      sdk: 34,
      lang: 'en',
    },
  ],
})

await withStand(
  few =>
    withStand(
      async many => {
        const ofFew = await grow(few, small)
        const ofMany = await grow(many, large)
        const json = { 'content-type': 'application/json' }
        const calls: [string, (ids: typeof ofFew) => { path: string; method?: 'POST'; body?: string }][] = [
          ['projects', () => ({ path: '/cpms/project-management-service/v1/projectList' })],
          ['apps', () => ({ path: '/amis/app-manage/v1/app/list' })],
          ['an app', ({ appId }) => ({ path: `/amis/app-manage/v1/app?appId=${appId}` })],
          ['a version', ({ appId }) => ({ path: `/amis/version-manage/v1/app/version?appId=${appId}` })],
          ['members', () => ({ path: '/ups/v1/sub-user' })],
          [
            'an update decision',
            () => ({ path: '/store/appinfo/v1/grey-upgrade-params', method: 'POST', body: device }),
          ],
        ]
        for (const [name, make] of calls) {
          const target = (title: string, stand: Stand, ids: typeof ofFew) => {
            const { path, ...rest } = make(ids)
            return {
              name: title,
              pid: stand.pid,
              postgresPid: stand.postgresPid,
              request: {
                url: stand.address + path,
                headers: { ...stand.headers, ...(rest.body ? json : {}) },
                ...rest,
              },
            }
          }
          const result = await inTurns(target('ten times', many, ofMany), target('once', few, ofFew), 3, 2)
          print(name, result.ratio, 1.3, words(result))
        }
      },
      run => run('home', records(large)),
    ),
  run => run('home', records(small)),
)
