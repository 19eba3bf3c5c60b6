import { describe, expect, it } from 'vitest'
import { joinedSiblings } from '../siblings/joined.testkit.ts'
import { Siblings } from '../siblings/siblings.ts'
import { openAllowance } from './allowances.ts'

const clock = { now: () => 1_000_000 }
const later = () => new Promise(resolve => setTimeout(resolve, 60))
const atOnce = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise(resolve => setImmediate(resolve))
}

const servers = (of: number) => joinedSiblings(of).map(siblings => ({ siblings, clock }))
/** The same allowance on three processes. */
const three = (calls: number) => servers(3).map(server => openAllowance(server, 'a call', calls))

describe('an allowance of processes that share a port', () => {
  it('is counted by all of them together, whichever takes the calls', async () => {
    const spend = three(6)
    const waits: number[] = []
    for (let call = 0; call < 9; call++) {
      waits.push(spend[call % 3]?.('somebody') ?? -1)
      await later()
    }
    expect(waits.map(one => one > 0)).toEqual([...Array(6).fill(false), true, true, true])
  })

  it('is told at once from its half on', async () => {
    const spend = three(4)
    expect(spend[1]?.('somebody')).toBe(0)
    expect(spend[1]?.('somebody')).toBe(0)
    await atOnce()
    expect([spend[2]?.('somebody'), spend[2]?.('somebody'), spend[2]?.('somebody')]).toEqual([0, 0, 60])
  })

  it('is of each caller alone', async () => {
    const spend = three(1)
    spend[0]?.('one')
    await later()
    expect([spend[1]?.('one'), spend[1]?.('another')]).toEqual([60, 0])
  })

  it('is of each call alone', async () => {
    const open = (name: string) => both.map(server => openAllowance(server, name, 1))
    const both = servers(2)
    const [[readHere, readThere], [writeHere, writeThere]] = [open('read'), open('write')]
    expect([readHere?.('one'), writeThere?.('another')]).toEqual([0, 0])
    await later()
    expect([readThere?.('one'), writeHere?.('one'), writeHere?.('another')]).toEqual([60, 0, 60])
  })

  it('of one process alone is its own', () => {
    const spend = openAllowance({ siblings: new Siblings(), clock }, 'a call', 1)
    expect([spend('one'), spend('one')]).toEqual([0, 60])
  })
})
