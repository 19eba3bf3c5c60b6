import { describe, expect, it } from 'vitest'
import { analyticsScript } from './analytics-script.ts'

const address = 'https://stats.example.com/a.js'
const failing = () => Promise.reject(new Error('offline'))

function open(given: { hasAgreed?: () => Promise<boolean>; address?: () => Promise<string | null> }) {
  const loaded: string[] = []
  const look = analyticsScript({
    hasAgreed: async () => true,
    address: async () => address,
    ...given,
    load: one => loaded.push(one),
  })
  return { look, loaded }
}

describe('the script of the operator’s analytics', () => {
  it('is loaded once for a page, however often and at once it is looked for', async () => {
    const { look, loaded } = open({})
    await Promise.all([look(), look()])
    await look()
    expect(loaded).toEqual([address])
  })

  it.each([
    ['who did not agree', { hasAgreed: async () => false }],
    ['whose consent cannot be read', { hasAgreed: failing }],
    ['where none is named or the switch is off', { address: async () => null }],
    ['where the configuration cannot be read', { address: failing }],
  ])('is not loaded for a person %s, and nothing fails', async (_, given) => {
    const { look, loaded } = open(given)
    await look()
    expect(loaded).toEqual([])
  })

  it('is loaded after the person agreed, on the same page', async () => {
    let isAgreed = false
    const { look, loaded } = open({ hasAgreed: async () => isAgreed })
    await look()
    isAgreed = true
    await look()
    expect(loaded).toEqual([address])
  })

  it('asks nobody for it before the person agreed', async () => {
    let times = 0
    const { look } = open({
      hasAgreed: async () => false,
      address: async () => {
        times++
        return address
      },
    })
    await look()
    expect(times).toBe(0)
  })
})
