/** A server as the contract of images has it; what it does with an event is in the event. */
export const answeringServer = `
import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
let begun = 0
const did = {
  echo: event => ({ event, begun, env: process.env.GREETING }),
  headers: (event, headers) => headers,
  say: async event => { console.log('one ' + event.word); console.error('two'); await wait(200); return 'said' },
  pages: () => null,
  slow: async () => { await wait(60_000) },
  hog: async () => { const all = []; for (;;) { all.push(Buffer.alloc(8e6, 1)); await wait(1) } },
  crash: () => { console.error('out of luck'); process.exit(3) },
  who: () => ({ uid: process.getuid(), gid: process.getgid() }),
  write: async event => { const fs = await import('node:fs'); fs.writeFileSync(event.at, 'x'); return 'written' },
  fetch: event => fetch(event.url).then(answer => answer.text(), error => error.cause.message),
  ask: event => new Promise(done => {
    const request = http.request(event.url, { method: event.body ? 'POST' : 'GET', headers: event.headers }, async answer => {
      let text = ''
      for await (const part of answer) text += part
      done([answer.statusCode, text])
    })
    request.end(event.body)
  }),
  tls: event => new Promise(done => {
    https.get(event.url, { rejectUnauthorized: false }, answer => answer.on('data', part => done(String(part))))
      .on('error', error => done(error.code))
  }),
  plain: event => new Promise(done => {
    net.connect(event.port, event.host).on('connect', () => done('reached')).on('error', error => done(error.code))
  }),
  reach: event => new Promise(done => {
    const request = http.get(event.url, answer => { answer.resume(); done('reached') })
    request.on('error', error => done(error.code))
  }),
}
http.createServer(async (request, reply) => {
  let text = ''
  for await (const part of request) text += part
  if (request.url === '/init') { begun++; reply.statusCode = Number(process.env.INIT ?? 200); return reply.end(process.env.INIT ? 'no key' : '') }
  const event = JSON.parse(text)
  if (event.what === 'page') {
    reply.writeHead(201, { 'content-type': 'text/html', 'x-own': 'yes' })
    return reply.end('<p>page</p>')
  }
  try {
    const answer = await did[event.what](event, request.headers)
    reply.setHeader('content-type', 'application/json')
    reply.end(event.what === 'pages' ? '{"cut' : JSON.stringify(answer))
  } catch (error) { reply.statusCode = 500; reply.end(error.code) }
}).listen(Number(process.env.PORT ?? 8000))
`
