import { WorkerEntrypoint } from 'cloudflare:workers'

/** Bytes both ways, as workerd has them. */
interface Pipe {
  readable: ReadableStream<Uint8Array>
  writable: WritableStream<Uint8Array>
  opened: Promise<{ localAddress?: string }>
  close(): Promise<void>
}
interface Door {
  fetch(request: Request): Promise<Response>
  connect(address: { hostname: string; port: number }): Pipe
}
interface Env {
  LOADER: {
    get(id: string, code: () => object): { getEntrypoint(): { fetch(url: string, init: object): Promise<Response> } }
  }
  PROXY: Door
}
interface Context {
  exports: { Outbound(options: { props: { copy: string } }): object }
}

const compatibilityDate = '2026-11-01'

/** The only way out of a copy. It says whose connection it is, which the copy cannot; the server decides where it leads. */
export class Outbound extends WorkerEntrypoint<Env, { copy: string }> {
  async fetch(request: Request): Promise<Response> {
    const named = new Request(request)
    named.headers.set('x-loggia-copy', this.ctx.props.copy)
    const answer = await this.env.PROXY.fetch(named)
    const refused = answer.headers.get('x-loggia-refused')
    if (refused !== null) throw new Error(`connect ${refused} ${new URL(request.url).host}`)
    return answer
  }

  async connect(near: Pipe): Promise<void> {
    const { localAddress = '' } = await near.opened
    const colon = localAddress.lastIndexOf(':')
    const host = localAddress.slice(0, colon).replace(/^\[|\]$/g, '')
    const port = Number(localAddress.slice(colon + 1))
    // A name is all that goes along with a connection; the colons of an address would end it.
    const hostname = `${this.ctx.props.copy}.${host.replaceAll(':', '_')}`
    const far = this.env.PROXY.connect({ hostname, port })
    await Promise.all([near.readable.pipeTo(far.writable), far.readable.pipeTo(near.writable)])
  }
}

/** A line of JSON has what stands around the code; the rest is the code itself, which nobody has to put into JSON so. */
function modulesOf(sent: string): object {
  const end = sent.indexOf('\n')
  return { ...JSON.parse(sent.slice(0, end)), 'bundle.mjs': { cjs: sent.slice(end + 1) } }
}

/** The worker that the server talks to: it loads copies by their names and passes on what is meant for them. */
export default {
  async fetch(request: Request, env: Env, { exports }: Context): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/probe') return new Response()
    const copy = request.headers.get('x-loggia-copy') ?? ''
    try {
      const modules = pathname === '/load' ? modulesOf(await request.text()) : null
      const loaded = env.LOADER.get(copy, () => {
        if (!modules) throw new Error('the copy has ended')
        const globalOutbound = exports.Outbound({ props: { copy } })
        return { compatibilityDate, mainModule: 'main.mjs', modules, globalOutbound }
      })
      const upgrade = request.headers.get('upgrade')
      const asked = upgrade === null ? { method: 'POST' } : { headers: { upgrade } }
      // What upgrades is a talk: it goes on between the copy and the server, and does not come through here.
      return await loaded.getEntrypoint().fetch(`http://isolate${pathname}`, asked)
    } catch (error) {
      return new Response(String((error as Error).message), { status: 502 })
    }
  },
}
