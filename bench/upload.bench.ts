import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { cpuMs, median, print, startProgram } from './measure.ts'
import { withStand } from './stand.ts'

/** Upload of 32 MB as one stream, against a raw Node server that writes and hashes the same bytes. */
const megabytes = 32
const body = randomBytes(megabytes * 1_048_576)
const rounds = 12

/** Sends the bytes in 64 KiB writes and returns the milliseconds until the answer. */
function send(method: string, url: string, headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      { method, headers: { ...headers, 'content-length': String(body.length) } },
      reply => {
        reply.resume()
        reply.on('end', () =>
          reply.statusCode === 200
            ? resolve(performance.now() - startedAt)
            : reject(new Error(`HTTP ${reply.statusCode}`)),
        )
      },
    )
    request.on('error', reject)
    let sent = 0
    const write = () => {
      while (sent < body.length) {
        const chunk = body.subarray(sent, sent + 65_536)
        sent += chunk.length
        if (!request.write(chunk)) return void request.once('drain', write)
      }
      request.end()
    }
    write()
  })
}

await withStand(async ({ address, pid, dataDir, headers }) => {
  const raw = await startProgram('raw-upload-server.ts', { DATA: dataDir })
  const ours = () => {
    // The same bytes twice would be stored once: each upload differs in its first bytes.
    randomBytes(16).copy(body)
    const type = { 'content-type': 'application/vnd.android.package-archive' }
    return send('POST', `${address}/cfs/file_service/v1/upload/object?fileName=big.apk`, { ...headers, ...type })
  }
  const peer = () => {
    randomBytes(16).copy(body)
    return send('PUT', `${raw.address}/big.apk`, {})
  }
  await ours()
  await peer()
  const times: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < rounds; round++) {
    const taken = { ours: 0, peer: 0, oursCpu: 0, peerCpu: 0 }
    for (const who of round % 2 === 0 ? (['ours', 'peer'] as const) : (['peer', 'ours'] as const)) {
      const process = who === 'ours' ? pid : raw.pid
      const before = cpuMs(process)
      taken[who] = await (who === 'ours' ? ours() : peer())
      taken[`${who}Cpu`] = cpuMs(process) - before
    }
    times.push(taken.ours / taken.peer)
    cpu.push(taken.oursCpu / Math.max(taken.peerCpu, 10))
  }
  print(`upload of ${megabytes} MB, time`, median(times), 1.3, `${rounds} rounds in turns`)
  print(`upload of ${megabytes} MB, server CPU`, median(cpu), 1.3, `${rounds} rounds in turns`)
  await raw.end()
})
