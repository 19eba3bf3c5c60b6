import { announcements } from '../src/services/ground/menu/announcements/contract.ts'
import { menu } from '../src/services/ground/menu/contract.ts'
import { orchestration } from '../src/services/ground/orchestration/contract.ts'
import home from '../src/services/ground/orchestration/definitions/home.json' with { type: 'json' }

import { dgsDelegates } from '../src/services/ground/projects/contract.ts'
import { teams } from '../src/services/ground/teams/contract.ts'
import { print } from './measure.ts'
import { type Stand, withStand } from './stand.ts'

/**
 * What one call of the home page costs beside its slowest part asked alone, over the same connection: for a team with 500
 * apps that 20,000 files and 1,000 open things belong to.
 */
const wanted = 1.3
const rounds = 200
const busy = { apps: 500, files: 20_000, items: 1_000 }

const parts: Record<string, string> = {
  user: teams.prefix + teams.calls.getUserInfo.path,
  team: teams.prefix + teams.calls.getTeamInfo.path,
  menu: menu.prefix + menu.calls.getMenu.path,
  announcements: `${announcements.prefix}${announcements.calls.listAnnouncements.path}?state=live&pageSize=5`,
  todo: dgsDelegates.prefix + dgsDelegates.calls.getAggregate.path,
}
const steps = home.find(one => one.processId === 'getHomePageInfo')?.steps.map(step => step.id) ?? []
if (steps.toSorted().join() !== Object.keys(parts).toSorted().join())
  throw new Error(`the home page is made of ${steps.join(', ')} now`)

await withStand(async ({ address, headers, teamId, asOwner }) => {
  await fill(asOwner, teamId)
  const json = { ...headers, 'content-type': 'application/json' }
  const asks: Record<string, () => Promise<Response>> = {
    whole: () =>
      fetch(`${address}${orchestration.prefix}/home/getHomePageInfo`, { method: 'POST', headers: json, body: '{}' }),
  }
  for (const [name, path] of Object.entries(parts)) asks[name] = () => fetch(address + path, { headers })
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(asks).map(name => [name, []]))
  for (let round = -100; round < rounds; round++) {
    for (const [name, ask] of Object.entries(asks)) {
      const began = performance.now()
      const reply = await ask()
      const text = await reply.text()
      if (reply.status !== 200 || (name === 'whole' && !text.includes('"partial":[]'))) throw new Error(text)
      if (round >= 0) times[name]?.push(performance.now() - began)
    }
  }
  const of = (name: string) => quarter(times[name] ?? [])
  const [slowest = ''] = steps.sort((one, other) => of(other) - of(one))
  const ratio = of('whole') / of(slowest)
  const each = steps.map(name => `${name} ${of(name).toFixed(2)} ms`).join(', ')
  print('home page', ratio, wanted, `${of('whole').toFixed(2)} ms; its parts alone: ${each}`)
})

/** What a quarter of the calls stay below: the others may have waited for somebody else's work on this machine. */
function quarter(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 4)] ?? 0
}

async function fill(asOwner: Stand['asOwner'], teamId: string): Promise<void> {
  const now = Date.now()
  await asOwner(
    'cn',
    `INSERT INTO file_objects (object_id, team_id, biz_tag, file_name, size_bytes, sha256, mime, state, ref_count, created_by, created_at, updated_at)
      SELECT 'cn/2026010100/' || n || '.png', ${teamId}, 'app_img', 'file ' || n, n, repeat('a', 64), 'image/png', 'NORMAL', 1, 1, ${now} + n, ${now}
      FROM generate_series(1, ${busy.files}) n`,
  )
  await asOwner(
    'home',
    `INSERT INTO project_apps (app_id, team_id, project_id, name) SELECT n, ${teamId}, 1, 'App ' || n FROM generate_series(1, ${busy.apps}) n;
      INSERT INTO home_items (kind, entity_id, team_id, app_id, zone, need, is_open, at)
      SELECT CASE WHEN n % 2 = 0 THEN 'task' ELSE 'release' END, n, ${teamId}, 1 + n % ${busy.apps}, 'CN',
        CASE WHEN n % 2 = 0 THEN 'fix' END, true, ${now} - n * 1000 FROM generate_series(1, ${busy.items}) n;
      ANALYZE`,
  )
  await asOwner('cn', 'ANALYZE')
}
