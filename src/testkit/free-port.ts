import net, { type AddressInfo } from 'node:net'

/** A port that nobody listened on a moment ago, for programs that must be told theirs. */
export function freePort(): Promise<number> {
  const server = net.createServer()
  return new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    }),
  )
}
