/** One server-sent event. */
export interface StreamEvent {
  id: string
  data: string
}

/** Reads server-sent events off a body until it ends; `onBytes` hears of everything that comes, heartbeats too. */
export async function* eventsOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let rest = ''
  let event: StreamEvent = { id: '', data: '' }
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBytes()
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r?\n/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (event.data !== '') yield event
        event = { id: '', data: '' }
      } else if (line.startsWith('id:')) event.id = line.slice(3).trimStart()
      else if (line.startsWith('data:')) event.data += (event.data && '\n') + line.slice(5).trimStart()
    }
  }
}
