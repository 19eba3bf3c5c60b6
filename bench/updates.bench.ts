import { inTurns, print, startProgram, words } from './measure.ts'
import { withStand } from './stand.ts'

/** The update decision over 1,000 apps of 10 versions, against a bare Fastify that answers a constant. */
const device = {
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
}
const records = `INSERT INTO store_records (version_id, app_id, team_id, zone, package_name, version_code, version_name, sha256,
    size_bytes, object_id, signers, min_sdk, target_sdk, abis, permissions, listings, default_locale, countries, state,
    on_shelf_at, changed_at)
  SELECT app * 100 + code, app, 1, 'CN', 'com.example.app' || app, code, '1.' || code, md5(app || ' ' || code) || md5('x' || app),
    1000, 'cn/2026010112/' || app || '.apk', ARRAY[repeat('a', 64)], 24, 34, ARRAY['arm64-v8a'], '[]',
    jsonb_build_object('en', jsonb_build_object('name', 'App ' || app, 'brief', 'b', 'description', 'd', 'releaseNotes', 'New',
      'icon', null, 'screenshots', '[]'::jsonb)), 'en', '{}', CASE WHEN code = 10 THEN 'on_shelf' ELSE 'superseded' END, 1, 1
  FROM generate_series(1, 1000) app, generate_series(1, 10) code`

await withStand(
  async ({ address, pid, headers: _signedIn }) => {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(device)
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
    print('update decision', result.ratio, 1.6, words(result))
    await bare.end()
  },
  run => run('home', records),
)
