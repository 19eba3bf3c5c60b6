import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LIMIT_MS = 10 * 60_000
const OUTPUT_BYTES = 1 << 20

/** Thrown when a program refuses its work; the message is what it said, without paths. */
export class ProgramFailure extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ProgramFailure'
  }
}

/**
 * Which of the programs are not on this machine, and the line that installs them; null when all are there. `wanted` names
 * Debian's package of each.
 */
export async function missingPrograms(
  wanted: Readonly<Record<string, string>>,
  path = process.env['PATH'] ?? '',
): Promise<{ missing: string; install: string } | null> {
  const folders = path.split(delimiter).filter(folder => folder !== '')
  const isThere = async (name: string) => {
    const found = await Promise.allSettled(folders.map(folder => access(join(folder, name), constants.X_OK)))
    return found.some(one => one.status === 'fulfilled')
  }
  const missing: string[] = []
  for (const name of Object.keys(wanted)) if (!(await isThere(name))) missing.push(name)
  if (missing.length === 0) return null
  return { missing: missing.join(', '), install: `apt-get install ${missing.map(name => wanted[name]).join(' ')}` }
}

/**
 * Runs a program in a folder until it ends, at most ten minutes, and answers what it wrote. `lines` go to its standard
 * input: what nobody may read in a list of processes. Throws ProgramFailure, or the reason of `signal`.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: { folder: string; signal?: AbortSignal; lines?: readonly string[] },
): Promise<string> {
  const { folder, signal, lines = [] } = options
  try {
    const started = run(program, [...args], {
      ...(signal ? { signal } : {}),
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
      maxBuffer: OUTPUT_BYTES,
      cwd: folder,
    })
    // A program that ends before it has read everything is told of by its exit.
    started.child.stdin?.on('error', () => undefined)
    started.child.stdin?.end(lines.map(line => `${line}\n`).join(''))
    return (await started).stdout
  } catch (error) {
    signal?.throwIfAborted()
    throw new ProgramFailure(`${program}: ${lastLine(error)}`)
  }
}

function lastLine(error: unknown): string {
  const { stderr = '', message = '' } = error as { stderr?: string; message?: string }
  const lines = `${stderr}`.split('\n').filter(line => /error|exception/i.test(line))
  const line = lines[0] ?? message.split('\n').at(-1) ?? 'it failed'
  return line.replace(/\/[^ ]*\//g, '').slice(0, 300)
}
