import { describe, expect, it } from 'vitest'
import { openParentWindow, type ParentMessage } from './parent-window.ts'

type Heard = { origin: string; source: unknown; data: unknown }

function openFrame(referrer: string, isFramed = true) {
  const posted: unknown[][] = []
  const listeners = new Set<(message: Heard) => void>()
  const parent = { postMessage: (...sent: unknown[]) => void posted.push(sent) }
  const frame = {
    parent: isFramed ? parent : null,
    referrer,
    hear: (listener: (message: Heard) => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const say = (message: Partial<Heard>) => {
    for (const listener of listeners)
      listener({ origin: 'https://host.example', source: parent, data: null, ...message })
  }
  return { frame, posted, say }
}

const host = 'https://host.example'
const message = { functionName: 'setTitle', params: { title: 'Apps' } }

describe('a message to the parent window', () => {
  it('has functionName and params, and goes to the origin of the page around', () => {
    const { frame, posted } = openFrame(`${host}/console?x=1`)
    expect(openParentWindow([], frame).post('setTitle', { title: 'Apps' })).toBe(true)
    expect(posted).toEqual([[message, host]])
  })

  it.each([
    ['nobody is around', openFrame(`${host}/`, false), []],
    ['nobody knows who is around', openFrame(''), []],
    ['who is around is not one of those configured', openFrame('https://evil.example/'), [host]],
    ['who is around is a file', openFrame('file:///tmp/a.html'), []],
  ] as const)('is not sent where %s', (_why, { frame, posted }, allowed) => {
    const around = openParentWindow(allowed, frame)
    expect([around.isEmbedded, around.post('setTitle'), posted]).toEqual([false, false, []])
  })

  it('is never sent to every origin', () => {
    for (const referrer of [`${host}/`, '', 'null', '*', 'about:blank']) {
      const { frame, posted } = openFrame(referrer)
      openParentWindow([], frame).post('setTitle')
      expect(posted.map(([, origin]) => origin)).not.toContain('*')
    }
  })
})

describe('an answer of the parent window', () => {
  const hearing = (sent: Partial<Heard>) => {
    const { frame, say } = openFrame(`${host}/`)
    const heard: ParentMessage[] = []
    openParentWindow([host], frame).listen(one => heard.push(one))
    say(sent)
    return heard
  }

  it('is heard', () => expect(hearing({ data: message })).toEqual([message]))

  it.each([
    ['another origin', { data: message, origin: 'https://evil.example' }],
    ['an opaque origin', { data: message, origin: 'null' }],
    ['another window', { data: message, source: {} }],
  ])('is not heard from %s', (_from, sent) => expect(hearing(sent)).toEqual([]))

  it.each([
    ['text', '{"functionName":"a"}'],
    ['no name', { params: {} }],
    ['a name that is no name', { functionName: 'alert(1)' }],
    ['a list of params', { functionName: 'a', params: [] }],
  ])('is not heard when it is %s', (_what, data) => expect(hearing({ data })).toEqual([]))

  it('is heard until nobody listens any more', () => {
    const { frame, say } = openFrame(`${host}/`)
    const heard: ParentMessage[] = []
    openParentWindow([], frame).listen(one => heard.push(one))()
    say({ data: message })
    expect(heard).toEqual([])
  })
})
