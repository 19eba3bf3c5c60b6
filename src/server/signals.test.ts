import net from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Pools } from './database/pools.ts'
import { createLog } from './log.ts'
import { joinedSiblings } from './siblings/joined.testkit.ts'
import { Siblings } from './siblings/siblings.ts'
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
    const signals = new Signals(
      new Pools({ home: database.url }, createLog('silent')),
      createLog('silent'),
      new Siblings(),
    )
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

describe('a signal of a process that shares its port', () => {
  const open = (of: number) =>
    joinedSiblings(of).map(siblings => {
      const signals = new Signals(new Pools({}, createLog('silent')), createLog('silent'), siblings)
      const heard: string[] = []
      signals.on('home', 'teams', payload => heard.push(payload))
      return { signals, heard }
    })

  it('is heard by all others, without a database, before whoever told it goes on', async () => {
    const all = open(3)
    await all[1]?.signals.tell('home', [
      { channel: 'teams', payload: 'one' },
      { channel: 'projects', payload: 'of which nobody hears' },
      { channel: 'teams', payload: 'another' },
    ])
    expect(all.map(one => one.heard)).toEqual(all.map(() => ['one', 'another']))
  })

  it('is nothing to wait for where there is no other, or nothing to tell', () => {
    expect(open(1)[0]?.signals.tell('home', [{ channel: 'teams', payload: 'one' }])).toBeUndefined()
    expect(open(2)[0]?.signals.tell('home', [])).toBeUndefined()
  })
})
