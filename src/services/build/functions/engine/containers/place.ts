import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { removeLeftovers } from '../sandbox.ts'
import { proxyPort } from './proxy.ts'

const prefix = 'ct-'
/** What an address of a Unix socket may have. */
const longestSocket = 107

/** What the doors of one server process are made of, and where their sockets are. */
export class DoorPlace {
  readonly folder: string
  /** Within `libraries`: what begins a program. */
  readonly #loader: string

  private constructor(folder: string, loader: string) {
    this.folder = folder
    this.#loader = loader
  }

  /** @param parent one that the engine sees as well: a temporary folder may be this process's alone */
  static async make(parent: string): Promise<DoorPlace> {
    await mkdir(parent, { recursive: true, mode: 0o700 })
    await removeLeftovers(prefix, parent)
    const folder = await mkdtemp(path.join(parent, `${prefix}${process.pid}-`))
    const libraries = path.join(folder, 'lib')
    await mkdir(libraries)
    for (const one of ownLibraries()) await copyFile(one, path.join(libraries, path.basename(one)))
    const source = await readFile(path.join(import.meta.dirname, 'door', 'door.ts'), 'utf8')
    await writeFile(path.join(folder, 'door.mjs'), stripTypeScriptTypes(source))
    const loader = ownLibraries().find(one => /^ld-/.test(path.basename(one))) ?? ''
    return new DoorPlace(folder, path.basename(loader))
  }

  /** A folder for the sockets of one door: by one calls come in, by the other what the function asks goes out. */
  async newSockets(): Promise<{ folder: string; socket: string; outgoing: string }> {
    const folder = path.join(this.folder, randomBytes(6).toString('hex'))
    const [socket, outgoing] = [path.join(folder, 'in.sock'), path.join(folder, 'out.sock')]
    if (outgoing.length > longestSocket)
      throw new Error(`the path of the data folder is too long for a socket in it: ${outgoing.length} characters`)
    await mkdir(folder, { mode: 0o700 })
    return { folder, socket, outgoing }
  }

  /** The program of a door in whatever image: Node of this server with its own libraries, all brought along. */
  program(
    socketFolder: string,
    port: number,
    hasWayOut: boolean,
  ): { Entrypoint: string[]; Cmd: string[]; Binds: string[] } {
    const inside = '/.loggia'
    const loader = [`${inside}/lib/${this.#loader}`, '--library-path', `${inside}/lib`]
    return {
      Entrypoint: [...loader, `${inside}/node`, '--max-old-space-size=32', `${inside}/door.mjs`],
      Cmd: [
        ...[`${inside}/sockets/in.sock`, String(port)],
        ...(hasWayOut ? [`${inside}/sockets/out.sock`, String(proxyPort)] : []),
      ],
      Binds: [
        `${path.join(this.folder, 'lib')}:${inside}/lib:ro`,
        `${path.join(this.folder, 'door.mjs')}:${inside}/door.mjs:ro`,
        `${process.execPath}:${inside}/node:ro`,
        `${socketFolder}:${inside}/sockets`,
      ],
    }
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** The system's libraries that this process runs with, its loader among them. */
function ownLibraries(): string[] {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] }
  return sharedObjects.filter(one => path.isAbsolute(one) && !one.includes('/node_modules/') && !one.endsWith('.node'))
}
