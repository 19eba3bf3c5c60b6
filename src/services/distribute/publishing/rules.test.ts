import { describe, expect, it } from 'vitest'
import { instantOf, objectIdOf } from './rules.ts'

const at = Date.UTC(2026, 11, 1, 8)

describe('what tools write', () => {
  it.each([
    ['2026-12-01T09:00:00+0100', at],
    ['2026-12-01T09:00:00+01:00', at],
    ['2026-12-01T09:00:00 0100', at],
    ['2026-12-01T08:00:00Z', at],
    ['2026-12-01T08:00:00.000Z', at],
    // The hour that comes twice when the clocks go back, by its offset.
    ['2026-10-25T02:30:00+0200', Date.UTC(2026, 9, 25, 0, 30)],
    ['2026-10-25T02:30:00+0100', Date.UTC(2026, 9, 25, 1, 30)],
    ['2026-12-01T08:00:00', null],
    ['tomorrow', null],
    ['2026-13-01T08:00:00Z', null],
  ])('%s is the time %s', (written, instant) => {
    expect(instantOf(written)).toBe(instant)
  })

  const objectId = 'cn/2026112205/0f0e0d0c-0b0a-4908-8706-050403020100.apk'
  it.each([
    [objectId, objectId],
    [`https://loggia.example/cn/cfs/file_service/v1/object/${objectId}?exp=1&sig=x`, objectId],
    [`https://loggia.example/elsewhere/${objectId}`, null],
    ['https://other.example/app.apk', null],
    ['../object/cn/secret', null],
  ])('%s is the object %s', (address, object) => {
    expect(objectIdOf(address)).toBe(object)
  })
})
