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
  const make: () => { handler: Record<string, unknown>; initialiser: Record<string, unknown> }
  export default make
}

/** Passes bytes on without looking at them. */
declare class IdentityTransformStream extends TransformStream<Uint8Array, Uint8Array> {}

/** The one of the events of a worker that is heard. */
declare function addEventListener(name: 'unhandledrejection', hear: (event: { reason: unknown }) => void): void
