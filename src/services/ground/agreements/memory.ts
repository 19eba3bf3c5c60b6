import { type Context, systemContext } from '../../../server/context.ts'
import type { Server } from '../../../server/server.ts'
import { type Agreed, agreedOf, type Catalogue, catalogueOf, countryOfPerson } from './queries.ts'
import type { Signer } from './rules.ts'

export const signalName = 'agreements'
const mostEntries = 20_000

/** What a person or a team has agreed to, and where a person is at home. */
export interface Known {
  country: string
  agreed: Agreed
}

/**
 * What has to be signed and what was, in memory, so that a check is no query. A published document reaches every process
 * by the signal `agreements` with an empty payload; a signature with the key of who signed.
 */
export class AgreementMemory {
  readonly #server: Server
  readonly #known = new Map<string, Promise<Known>>()
  #catalogue: Promise<Catalogue> | undefined

  constructor(server: Server) {
    this.#server = server
  }

  /** Call before the signals start. Who acts for another team from now on may be of another country. */
  listen(): void {
    const { signals } = this.#server
    signals.on('home', signalName, payload => this.#forget(payload))
    signals.on('home', 'teams', payload => {
      // A change of a team may be one of its country.
      if (payload === '' || payload.startsWith('team:')) this.#known.clear()
      else this.#known.delete(keyOf('person', payload))
    })
  }

  catalogue(): Promise<Catalogue> {
    if (!this.#catalogue) {
      const loading = this.#load(ctx => catalogueOf(ctx))
      this.#catalogue = loading
      loading.catch(() => {
        this.#catalogue = undefined
      })
    }
    return this.#catalogue
  }

  of(signer: Signer, id: string): Promise<Known> {
    const key = keyOf(signer, id)
    let entry = this.#known.get(key)
    if (!entry) {
      if (this.#known.size >= mostEntries) this.#known.clear()
      const loading = this.#load(async ctx => ({
        country: signer === 'person' ? await countryOfPerson(ctx, id) : '',
        agreed: await agreedOf(ctx, signer, id),
      }))
      loading.catch(() => this.#known.get(key) === loading && this.#known.delete(key))
      this.#known.set(key, loading)
      entry = loading
    }
    return entry
  }

  #forget(payload: string): void {
    if (payload !== '') this.#known.delete(payload)
    else {
      this.#catalogue = undefined
      this.#known.clear()
    }
  }

  #load<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
    const zone = this.#server.config.zones[0] ?? 'CN'
    return systemContext(this.#server, zone, { name: 'agreements' }).transact(work)
  }
}

export const keyOf = (signer: Signer, id: string) => `${signer} ${id}`

const memories = new WeakMap<Server, AgreementMemory>()

/** The one memory of a server. */
export function memoryOf(server: Server): AgreementMemory {
  let memory = memories.get(server)
  if (!memory) {
    memory = new AgreementMemory(server)
    memories.set(server, memory)
  }
  return memory
}
