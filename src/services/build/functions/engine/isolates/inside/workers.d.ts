/** What is used of workerd, inside of it. */
declare module 'cloudflare:workers' {
  export class WorkerEntrypoint<Env, Props> {
    readonly env: Env
    readonly ctx: { readonly props: Props }
  }
  /** Ends the isolate that calls it, with all its calls; its place in the loader is free again. */
  export function abortIsolate(reason: string): never
}

declare module '*/bundle.mjs' {
  /** What one file exports, or the modules of two. */
  const make: () => { whole: unknown } | { handler: Record<string, unknown>; initialiser: Record<string, unknown> }
  export default make
}

/** One end of a WebSocket, as workerd has it. */
interface Socket {
  binaryType: 'arraybuffer'
  accept(): void
  send(bytes: Uint8Array): void
  addEventListener(name: 'message', hear: (event: { data: ArrayBuffer }) => void): void
}
declare class WebSocketPair {
  0: Socket
  1: Socket
}

/** The one of the events of a worker that is heard. */
declare function addEventListener(name: 'unhandledrejection', hear: (event: { reason: unknown }) => void): void
