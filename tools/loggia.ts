import { exitCodes, usage } from './release/outcome.ts'
import { runRelease } from './release/run.ts'
import { rulesUsage, testRules } from './rules/test-rules.ts'

/** The command `loggia`; docs/publishing-api.md and docs/rules.md tell of it. */
const [command, ...rest] = process.argv.slice(2)
if (command === 'release') process.exitCode = await runRelease(rest, process.env)
else if (command === 'rules' && rest[0] === 'test') {
  process.exitCode = testRules(
    rest.slice(1),
    text => process.stdout.write(text),
    text => process.stderr.write(text),
  )
} else {
  const isHelp = command === '--help' || command === 'help'
  process[isHelp ? 'stdout' : 'stderr'].write(`${usage}\n${rulesUsage}`)
  process.exitCode = isHelp ? exitCodes.done : exitCodes.usage
}
