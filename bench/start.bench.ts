import { Loggia } from '../e2e/loggia.ts'

/** How long `npm run up` takes where it ran before: the middle of five. */
const limitSeconds = 5

const loggia = await Loggia.start()
try {
  const seconds: number[] = []
  for (let round = 0; round < 5; round++) {
    await loggia.end('SIGINT')
    seconds.push(await loggia.up())
  }
  const middle = seconds.toSorted((a, b) => a - b)[2] ?? 0
  process.stdout.write(
    `a second start: ${middle.toFixed(1)} s (${middle <= limitSeconds ? 'within' : 'OVER'} ${limitSeconds})\n`,
  )
} finally {
  await loggia.close()
}
