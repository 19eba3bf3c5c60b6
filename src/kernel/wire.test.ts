import { expect, it } from 'vitest'
import { hardLifeMs, loginDefaults, logoutBlockMs, pageLifeMs, softLifeMs, uploadChunkBytes } from './wire.ts'

it('a session cookie is valid for 1 hour, 3600000 ms, which ends before the session does', () => {
  expect(softLifeMs).toBe(3_600_000)
  expect(hardLifeMs).toBeGreaterThan(pageLifeMs)
})

it('login defaults are client id 60992, channel 89000060, client type 89', () => {
  expect(loginDefaults).toEqual({ clientId: 60992, channel: 89000060, clientType: 89 })
})

it('a page lives 6 hours, a logout blocks another for 10 seconds, an upload goes in chunks of 65536 bytes', () => {
  expect([pageLifeMs, logoutBlockMs, uploadChunkBytes]).toEqual([21_600_000, 10_000, 65_536])
})
