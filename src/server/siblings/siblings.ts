import { randomUUID } from 'node:crypto'

/** How long one is waited for. Who asks on for another is waited for a little longer, or what it has gathered is lost. */
const withinMs = 1_000
const relayMs = 100

type Answering = (about: unknown) => unknown

interface Said {
  topic: string
  about: unknown
}

/** `isForOne`: the first process alone answers, and asks nobody. */
type Question = Said & { type: 'question'; id: string; withinMs: number; isForOne: boolean }
type Message = Question | (Said & { type: 'news' }) | { type: 'answers'; id: string; list: unknown[] }

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

  /** The answers of all others, in no order; of one that does not answer in time there is none. */
  async ask<Answer>(topic: string, about: unknown, ms: number = withinMs): Promise<Answer[]> {
    return (await this.#ask({ topic, about }, ms)) as Answer[]
  }

  /** The answer of the first process, for one that is not; undefined where there is none in time. */
  async askFirst<Answer>(topic: string, about: unknown, ms: number): Promise<Answer | undefined> {
    const [link] = this.#links
    return (await link?.ask({ topic, about }, ms, true))?.[0] as Answer | undefined
  }

  /** Has all others hear of something. What they would answer is not waited for. */
  tell(topic: string, about: unknown): void {
    this.#tell({ topic, about })
  }

  /** From now on one of the others is asked over this channel, and may ask. */
  join(channel: Channel): void {
    const link: Link = new Link(channel, {
      answer: async ({ topic, about, withinMs: ms, isForOne }) => {
        const own = this.#own(topic, about)
        return isForOne ? own : [...(await own), ...(await this.#ask({ topic, about }, ms - relayMs, link))]
      },
      hear: ({ topic, about }) => {
        void this.#own(topic, about)
        this.#tell({ topic, about }, link)
      },
    })
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

  async #ask(said: Said, ms: number, except?: Link): Promise<unknown[]> {
    const asked = [...this.#links].filter(link => link !== except)
    return (await Promise.all(asked.map(link => link.ask(said, ms, false)))).flat()
  }

  #tell(said: Said, except?: Link): void {
    for (const link of this.#links) if (link !== except) link.tell(said)
  }
}

/** One channel, with the questions that wait for their answers. */
class Link {
  readonly #channel: Channel
  readonly #waiting = new Map<string, (list: unknown[]) => void>()

  constructor(
    channel: Channel,
    { answer, hear }: { answer: (question: Question) => Promise<unknown[]>; hear: (news: Said) => void },
  ) {
    this.#channel = channel
    channel.on('message', said => {
      const message = said as Message
      if (message.type === 'answers') this.#waiting.get(message.id)?.(message.list)
      if (message.type === 'news') hear(message)
      if (message.type === 'question')
        void answer(message).then(list => this.#send({ type: 'answers', id: message.id, list }))
    })
    channel.once('disconnect', () => {
      for (const resolve of this.#waiting.values()) resolve([])
    })
  }

  ask(said: Said, ms: number, isForOne: boolean): Promise<unknown[]> {
    return new Promise(resolve => {
      const id = randomUUID()
      const timer = setTimeout(() => settle([]), ms)
      const settle = (list: unknown[]) => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(list)
      }
      this.#waiting.set(id, settle)
      this.#send({ type: 'question', id, ...said, withinMs: ms, isForOne })
    })
  }

  tell(said: Said): void {
    this.#send({ type: 'news', ...said })
  }

  #send(message: Message): void {
    // Who is gone meanwhile is heard of by the end of the channel.
    if (this.#channel.connected) this.#channel.send?.(message, () => undefined)
  }
}
