import { providerApi } from './session-calls.ts'

const channelName = 'loggia recent proof'
const windowName = 'loggia-provider'

/**
 * Proves at a provider who the person is, in a window of its own, so that this page keeps what was typed. Answers what
 * ends the waiting; null where no window could be opened and this page went there itself.
 */
export async function proveAtProvider(providerId: string, onProven: () => void): Promise<(() => void) | null> {
  const own = window.open('', windowName, 'popup,width=520,height=680')
  try {
    const { url } = await providerApi.startConfirm({ body: { providerId } })
    if (!own) {
      location.assign(url)
      return null
    }
    own.location.replace(url)
  } catch (refusal) {
    own?.close()
    throw refusal
  }
  const channel = new BroadcastChannel(channelName)
  channel.onmessage = onProven
  return () => channel.close()
}

/** Said by the page that a provider sent back to; the window that was opened for it closes. */
export function tellProven(): void {
  const channel = new BroadcastChannel(channelName)
  channel.postMessage('proven')
  channel.close()
  if (window.name === windowName) window.close()
}
