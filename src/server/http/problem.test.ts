import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { toRefusal } from './problem.ts'

const request = { routeOptions: {} } as FastifyRequest
const ofDatabase = (code: string) =>
  new Error('Failed query', { cause: Object.assign(new Error('of PostgreSQL'), { code }) })

describe('an error of the database', () => {
  it.each([
    ['a deadlock that was lost again and again', '40P01', 503],
    ['a transaction that others got in the way of', '40001', 503],
    ['a connection that is gone', '57P01', 503],
    ['a text that cannot be kept', '22021', 400],
    ['a statement that is wrong', '42601', 500],
  ])('%s is %s %i', (_what, code, status) => {
    const refusal = toRefusal(ofDatabase(code), request)
    expect([refusal.status, refusal.detail['retryAfterSeconds']]).toEqual([status, status === 503 ? 1 : undefined])
  })
})
