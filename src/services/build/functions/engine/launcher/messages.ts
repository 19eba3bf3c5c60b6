/** What the server asks of its launcher. */
export type LauncherOrder =
  | { type: 'begin'; id: string; command: string; args: readonly string[]; env: Record<string, string> }
  | { type: 'kill'; id: string }

/** How a process ended, and the last that it wrote to its output: Node itself does when it cannot go on. */
export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  said: string
}

/** What the launcher answers; `pid` is of the outermost process. */
export type LauncherReport = { type: 'begun'; id: string; pid: number } | ({ type: 'ended'; id: string } & Ending)

/** Characters with which a new connection names the process that it belongs to: a UUID. */
export const idLength = 36
