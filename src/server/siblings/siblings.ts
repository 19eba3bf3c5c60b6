import { randomUUID } from 'node:crypto'

/** How long one is waited for. Who asks on for another is waited for a little longer, or what it has gathered is lost. */
const withinMs = 1_000
const relayMs = 100

type Answering = (about: unknown) => unknown

type Message =
  | { type: 'question'; id: string; topic: string; about: unknown; withinMs: number }
  | { type: 'answers'; id: string; list: unknown[] }

/** A child process, or this one towards its parent. */
export interface Channel {
  readonly connected: boolean
  send?(message: Message, sent: () => void): boolean
  on(event: 'message', hear: (message: unknown) => void): unknown
  once(event: 'disconnect', gone: () => void): unknown
}

/** Which of the processes this one is, from 0 on, and how many there are. */
export interface Place {
  at: number
  of: number
}

/** The part of a whole number that falls to a process; those of all of them are the number. */
export function partOf(whole: number, { at, of }: Place): number {
  return Math.floor(whole / of) + (at < whole % of ? 1 : 0)
}

/**
 * The other processes that serve the same port of this machine. What only a process itself knows, such as what runs below
 * it, is asked of all of them: the first one has a channel to each of the others, and asks on for them.
 */
export class Siblings {
  readonly place: Place
  readonly #links = new Set<Link>()
  readonly #answers = new Map<string, Answering>()

  constructor(place: Place = { at: 0, of: 1 }) {
    this.place = place
  }

  /** What this process answers where others ask about a topic. What it throws is no answer. */
  answer(topic: string, give: Answering): void {
    if (this.#answers.has(topic)) throw new Error(`${topic} is answered already`)
    this.#answers.set(topic, give)
  }

  /** The answers of all others, in no order; of one that does not answer within a second there is none. */
  async ask<Answer>(topic: string, about: unknown): Promise<Answer[]> {
    return (await this.#ask(topic, about, withinMs)) as Answer[]
  }

  /** From now on one of the others is asked over this channel, and may ask. */
  join(channel: Channel): void {
    const link: Link = new Link(channel, async ({ topic, about, withinMs: ms }) => [
      ...(await this.#own(topic, about)),
      ...(await this.#ask(topic, about, ms - relayMs, link)),
    ])
    this.#links.add(link)
    channel.once('disconnect', () => this.#links.delete(link))
  }

  async #own(topic: string, about: unknown): Promise<unknown[]> {
    const give = this.#answers.get(topic)
    try {
      return give ? [await give(about)] : []
    } catch {
      return []
    }
  }

  async #ask(topic: string, about: unknown, ms: number, except?: Link): Promise<unknown[]> {
    const asked = [...this.#links].filter(link => link !== except)
    return (await Promise.all(asked.map(link => link.ask(topic, about, ms)))).flat()
  }
}

/** One channel, with the questions that wait for their answers. */
class Link {
  readonly #channel: Channel
  readonly #waiting = new Map<string, (list: unknown[]) => void>()

  constructor(channel: Channel, answer: (question: Message & { type: 'question' }) => Promise<unknown[]>) {
    this.#channel = channel
    channel.on('message', said => {
      const message = said as Message
      if (message.type === 'answers') this.#waiting.get(message.id)?.(message.list)
      if (message.type === 'question')
        void answer(message).then(list => this.#send({ type: 'answers', id: message.id, list }))
    })
    channel.once('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve([])
    })
  }

  ask(topic: string, about: unknown, ms: number): Promise<unknown[]> {
    return new Promise(resolve => {
      const id = randomUUID()
      const timer = setTimeout(() => settle([]), ms)
      const settle = (list: unknown[]) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(list)
      }
      this.#waiting.set(id, settle)
      this.#send({ type: 'question', id, topic, about, withinMs: ms })
    })
  }

  #send(message: Message): void {
    // Who is gone meanwhile is heard of by the end of the channel.
    if (this.#channel.connected) this.#channel.send?.(message, () => undefined)
  }
}
