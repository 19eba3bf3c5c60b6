import net from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Pools } from './database/pools.ts'
import { createLog } from './log.ts'
import { Signals } from './signals.ts'

/** A port where every connection is taken and closed at once, as by a database that has none left. */
async function refusingDatabase() {
  let tries = 0
  const server = net.createServer(socket => {
    tries += 1
    socket.destroy()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  return { url: `postgres://nobody@127.0.0.1:${port}/none`, tries: () => tries, close: () => server.close() }
}

describe('signals of a database that refuses connections', () => {
  afterEach(() => void vi.useRealTimers())

  it('are asked for again once a pause, however long it refuses', async () => {
    const database = await refusingDatabase()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const signals = new Signals(new Pools({ home: database.url }, createLog('silent')), createLog('silent'))
    signals.on('home', 'outbox', () => undefined)
    await signals.start()
    const seconds = 10
    for (let second = 0; second < seconds; second++) {
      for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
      vi.advanceTimersByTime(1_000)
    }
    expect(database.tries()).toBeGreaterThan(2)
    expect(database.tries()).toBeLessThanOrEqual(seconds + 1)
    await signals.close()
    database.close()
  })
})
