import { once } from 'node:events'
import { WebSocket } from 'ws'
import { asked, openAppRows } from './app-rows.ts'
import { median } from './measure.ts'
import { withStand } from './stand.ts'

/**
 * 2,000 listeners of one query, each on a line of its own and under rights and rules: how long a write needs until the last
 * of them has it. The listeners are in this process, so what reading costs them is in the time as well.
 */
const listeners = 2_000
const writes = 20
const wantedMs = 200

await withStand(async stand => {
  const { plane, headers, place } = await openAppRows(stand, 1_000)
  const address = `${stand.address.replace('http', 'ws')}/agc/apigw/clouddb/subscribe`
  const queryConditions = [{ conditionType: 'EqualTo', fieldName: 'category', value: 'live' }]
  const wish = JSON.stringify({ op: 'SUB', subId: 's', zone: 'main', type: 'Item', queryConditions })
  const lines: WebSocket[] = []
  let heard = 0
  let lastAt = 0
  const open = async () => {
    const line = new WebSocket(address, { headers })
    await once(line, 'open')
    const ready = once(line, 'message')
    line.send(wish)
    await ready
    line.on('message', data => {
      if (!String(data).includes('"CHANGE"')) return
      heard++
      lastAt = performance.now()
    })
    lines.push(line)
  }
  while (lines.length < listeners) await Promise.all(Array.from({ length: 100 }, open))
  const times: number[] = []
  for (let write = 0; write < writes; write++) {
    heard = 0
    const began = performance.now()
    const row = { id: `live${write}`, title: 'new', price: 5, category: 'live', owner: 'u1' }
    await asked(`${plane}/v3/syncObjects`, 'POST', headers, { ...place, operationType: 1, objects: [row] })
    while (heard < listeners && performance.now() - began < 10_000) await new Promise(resolve => setTimeout(resolve, 5))
    times.push(heard < listeners ? Number.POSITIVE_INFINITY : lastAt - began)
  }
  for (const line of lines) line.terminate()
  const middle = median(times)
  const slowest = Math.max(...times)
  const verdict = middle <= wantedMs ? 'within' : 'OVER'
  process.stdout.write(
    `one write to ${listeners} listeners: ${middle.toFixed(0)} ms, the middle of ${writes} (${verdict} ${wantedMs}); the slowest ${slowest.toFixed(0)} ms\n`,
  )
})
