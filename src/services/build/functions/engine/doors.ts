import { randomBytes } from 'node:crypto'
import { chmod, rm } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { pipeline } from 'node:stream'
import { type InstanceSpec, NotReachable } from './port.ts'

const waitMs = 10_000

/**
 * One connection out of a sandbox: first the far end is reached, then a socket with a name that nobody guesses is opened
 * for one caller and closed behind it. Answers the name. Throws what has a `code` that Node's own errors have.
 */
export async function openDoor(
  folder: string,
  connect: InstanceSpec['connect'],
  target: { host: string; port: number },
): Promise<string> {
  if (!connect || !Number.isInteger(target.port) || target.port < 1 || target.port > 65_535) throw coded('EACCES')
  const far = await connect(target.host, target.port).catch(error => {
    throw coded(error instanceof NotReachable ? 'EACCES' : 'ECONNREFUSED')
  })
  const name = randomBytes(12).toString('hex')
  const place = path.join(folder, name)
  const door = net.createServer({ allowHalfOpen: true })
  door.maxConnections = 1
  const close = () => {
    door.close()
    void rm(place, { force: true })
  }
  const timer = setTimeout(() => {
    close()
    far.destroy()
  }, waitMs)
  door.once('connection', near => {
    clearTimeout(timer)
    close()
    pipeline(near, far, () => undefined)
    pipeline(far, near, () => undefined)
  })
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject)
    door.listen(place, resolve)
  })
  await chmod(place, 0o666)
  return name
}

const coded = (code: string) => Object.assign(new Error(code), { code })
