import { exitCodes, usage } from './release/outcome.ts'
import { runRelease } from './release/run.ts'

/** The command `loggia`; docs/publishing-api.md tells of it. */
const [command, ...rest] = process.argv.slice(2)
if (command === 'release') process.exitCode = await runRelease(rest, process.env)
else {
  const isHelp = command === '--help' || command === 'help'
  process[isHelp ? 'stdout' : 'stderr'].write(usage)
  process.exitCode = isHelp ? exitCodes.done : exitCodes.usage
}
