import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Calls one address at a steady pace, whether the calls before have been answered or not, and does nothing else: a client
 * whose own pauses would stand in what it measures is no client to measure by. `GET /MILLISECONDS` answers how long each
 * call of so long a time took, milliseconds.
 */
const paceMs = 5
const { url, method, headers, body } = JSON.parse(process.env['PACED_REQUEST'] ?? '') as {
  url: string
  method: string
  headers: Record<string, string>
  body: string
}
const agent = new http.Agent({ keepAlive: true, maxSockets: 200 })

function call(): Promise<number> {
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, headers, agent }, reply => {
      if (reply.statusCode !== 200) reject(new Error(`answered ${reply.statusCode}`))
      reply.resume().once('end', () => resolve(performance.now() - from))
    })
    request.once('error', reject).end(body)
  })
}

async function paced(lengthMs: number): Promise<number[]> {
  const calls: Promise<number>[] = []
  const began = performance.now()
  for (let at = 0; at < lengthMs; at += paceMs) {
    await sleep(Math.max(1, began + at - performance.now()))
    calls.push(call())
  }
  return Promise.all(calls)
}

const server = http.createServer(async (request, reply) => {
  const times = await paced(Number(request.url?.slice(1)))
  reply.end(JSON.stringify(times))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
