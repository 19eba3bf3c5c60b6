import { inTurns, memoryMb, print, startProgram, words } from './measure.ts'
import { withStand } from './stand.ts'

/** A validated, authenticated POST that inserts one row, and a list of 20, against a bare Fastify and pg. */
await withStand(async ({ address, pid, env, headers, asOwner }) => {
  await new Promise(resolve => setTimeout(resolve, 5_000))
  const atRest = memoryMb(pid)
  process.stdout.write(
    `memory of the server at rest: ${atRest.toFixed(0)} MB (${atRest <= 250 ? 'within' : 'OVER'} 250)\n`,
  )
  const bare = await startProgram('bare-server.ts', env)
  const json = { 'content-type': 'application/json' }
  const token = { 'x-token': 'token' }
  const body = JSON.stringify({
    title: 'A note of some length',
    body: 'With a body that says a little more than the title.',
  })
  const url = `${address}/bench/notes/v1/notes`
  const create = await inTurns(
    { name: 'Loggia', pid, request: { url, method: 'POST', headers: { ...headers, ...json }, body } },
    {
      name: 'bare',
      pid: bare.pid,
      request: { url: `${bare.address}/notes`, method: 'POST', headers: { ...token, ...json }, body },
    },
  )
  print('POST that inserts one row', create.ratio, 1.6, words(create))
  await asOwner('cn', 'ANALYZE notes')
  const listing = await inTurns(
    { name: 'Loggia', pid, request: { url, headers } },
    { name: 'bare', pid: bare.pid, request: { url: `${bare.address}/notes`, headers: token } },
  )
  print('list of 20', listing.ratio, 1.6, words(listing))
  await bare.end()
})
