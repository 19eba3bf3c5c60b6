import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

export const root = new URL('..', import.meta.url).pathname

export interface StepResult {
  name: string
  isPassed: boolean
  seconds: number
  output: string
}

/** Runs one command from the root and keeps what it prints. */
export async function runStep(
  name: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd: string = root,
): Promise<StepResult> {
  const startedAt = performance.now()
  let output = ''
  const code = await new Promise<number>(resolve => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', chunk => {
        output += chunk
      })
    }
    child.on('error', error => {
      output += error.message
      resolve(1)
    })
    child.on('close', status => resolve(status ?? 1))
  })
  return { name, isPassed: code === 0, seconds: (performance.now() - startedAt) / 1000, output: output.trim() }
}

/** Prints a line a step, and what a failed one said. */
export function report(result: StepResult): void {
  const mark = result.isPassed ? 'passed' : 'FAILED'
  process.stdout.write(`${mark}  ${result.name} (${result.seconds.toFixed(1)} s)\n`)
  if (!result.isPassed) process.stdout.write(`${result.output.replace(/^/gm, '    ')}\n`)
}

const typescript = `${root}node_modules/typescript-7/bin/tsc`

/** The checks that need no database. */
export const verifySteps: readonly { name: string; command: string; args: readonly string[] }[] = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'types of the server', command: process.execPath, args: [typescript, '-p', 'tsconfig.json'] },
  ...(existsSync(`${root}src/console/main.tsx`)
    ? [{ name: 'types of the console', command: process.execPath, args: [typescript, '-p', 'tsconfig.console.json'] }]
    : []),
  {
    name: 'imports',
    command: 'depcruise',
    args: ['--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'src', 'tools', 'e2e', 'bench'],
  },
  { name: 'dead code', command: 'knip', args: ['--no-progress'] },
  { name: 'rules of the house', command: process.execPath, args: ['tools/check-house.ts'] },
  { name: 'rules of the specification', command: process.execPath, args: ['tools/check-rules.ts'] },
  { name: 'translations', command: process.execPath, args: ['tools/check-i18n.ts'] },
  { name: 'documents', command: process.execPath, args: ['tools/check-docs.ts'] },
]

/** Every rule that needs no database, two at a time. Answers how many failed. */
export async function verifyAll(): Promise<number> {
  const waiting = [...verifySteps]
  let failed = 0
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const result = await runStep(step.name, step.command, step.args)
      report(result)
      if (!result.isPassed) failed++
    }
  }
  await Promise.all([lane(), lane()])
  return failed
}
