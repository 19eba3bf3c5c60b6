import { Duplex } from 'node:stream'
import { WebSocket } from 'ws'

/** workerd takes larger ones only where it was told to; a frame may come in several. */
const mostMessageBytes = 512 * 1024
/** No copy has a reason to send a larger one. */
const mostTakenBytes = 1024 * 1024

/** Bytes both ways with a copy in workerd, over a WebSocket. What is written together goes out as one message. */
export function talkAt(socketPath: string, headers: Record<string, string>): Duplex {
  const socket = new WebSocket(`ws+unix://${socketPath}:/talk`, {
    ...{ headers, perMessageDeflate: false, maxPayload: mostTakenBytes },
  })
  socket.binaryType = 'nodebuffer'
  const send = (bytes: Buffer, done: (error?: Error | null) => void) => {
    for (let at = 0; at < bytes.length; at += mostMessageBytes) {
      const isLast = at + mostMessageBytes >= bytes.length
      socket.send(bytes.subarray(at, at + mostMessageBytes), isLast ? done : undefined)
    }
  }
  const stream = new Duplex({
    construct: done => {
      socket.once('error', done)
      socket.once('open', () => {
        socket.off('error', done)
        socket.on('error', error => stream.destroy(error))
        done()
      })
    },
    read: () => socket.resume(),
    write: (chunk: Buffer, _encoding, done) => send(chunk, done),
    writev: (parts, done) => send(Buffer.concat(parts.map(({ chunk }) => chunk as Buffer)), done),
    destroy: (error, done) => {
      socket.terminate()
      done(error)
    },
  })
  socket.on('message', (data: Buffer) => {
    if (!stream.push(data)) socket.pause()
  })
  socket.once('close', () => {
    stream.push(null)
    stream.end()
  })
  return stream
}
