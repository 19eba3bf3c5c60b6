import { inTurns, print, startProgram, words } from './measure.ts'
import { withStand } from './stand.ts'

/** The update decision against a bare Fastify that answers a constant: among 1,000 apps, then one of 50 in phases among 10,000. */
const certificate = 'a'.repeat(64)
const question = (app: number) => ({
  deviceId: 'device-1',
  packages: [
    {
      packageName: `com.example.app${app}`,
      versionCode: '3',
      certSha256: certificate,
      abis: ['arm64-v8a'],
      sdk: 34,
      lang: 'en',
      country: 'CN',
    },
  ],
})

/** `apps` of 10 versions, the newest on shelf; the newest of the first `phased` apps is for half of the devices, over the one before. */
const records = (
  apps: number,
  phased = 0,
) => `INSERT INTO store_records (version_id, app_id, team_id, zone, package_name, version_code,
    version_name, sha256, size_bytes, object_id, signers, min_sdk, target_sdk, abis, permissions, listings, default_locale,
    countries, state, phase, on_shelf_at, changed_at)
  SELECT app * 100 + code, app, 1, 'CN', 'com.example.app' || app, code, '1.' || code, md5(app || ' ' || code) || md5('x' || app),
    1000, 'cn/2026010112/' || app || '.apk', ARRAY['${certificate}'], 24, 34, ARRAY['arm64-v8a'], '[]',
    jsonb_build_object('en', jsonb_build_object('name', 'App ' || app, 'brief', 'b', 'description', 'd', 'releaseNotes', 'New',
      'icon', null, 'screenshots', '[]'::jsonb)), 'en', '{}',
    CASE WHEN code = 10 OR code = 9 AND app <= ${phased} THEN 'on_shelf' ELSE 'superseded' END,
    CASE WHEN code = 10 AND app <= ${phased} THEN jsonb_build_object('percentBp', 5000, 'salt', app::text, 'isRunning', true,
      'manualPull', false, 'newInstalls', 'FOLLOW', 'countries', '["CN"]'::jsonb, 'startedAt', 1) END, 1, 1
  FROM generate_series(1, ${apps}) app, generate_series(1, 10) code`

async function measure(what: string, limit: number, app: number, rows: string): Promise<void> {
  await withStand(
    async ({ address, pid, headers: _signedIn }) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify(question(app))
      const url = `${address}/store/appinfo/v1/grey-upgrade-params`
      const reply = await fetch(url, { method: 'POST', headers, body })
      const answer = await reply.text()
      if (!answer.includes('"UPDATE"')) throw new Error(`no update was offered: ${answer}`)
      const bare = await startProgram('constant-server.ts', { ANSWER: answer })
      const result = await inTurns(
        { name: 'Loggia', pid, request: { url, method: 'POST', headers, body } },
        { name: 'constant', pid: bare.pid, request: { url: `${bare.address}/update`, method: 'POST', headers, body } },
        15,
        1,
      )
      print(what, result.ratio, limit, words(result))
      await bare.end()
    },
    run => run('home', rows),
  )
}

await measure('update decision among 1,000 apps', 1.6, 500, records(1_000))
await measure('update decision of a phased release among 10,000 apps', 2, 25, records(10_000, 50))
