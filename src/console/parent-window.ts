/** What a page in a frame says to the one around it, and hears from it (specification, section 7). */
export interface ParentMessage {
  functionName: string
  params: Readonly<Record<string, unknown>>
}

interface Frame {
  /** The window around; null where the page stands alone. */
  parent: { postMessage: (message: unknown, origin: string) => void } | null
  /** `document.referrer`: who framed the page. */
  referrer: string
  /** Calls back for each message that comes in; answers what ends it. */
  hear: (listener: (message: { origin: string; source: unknown; data: unknown }) => void) => () => void
}

const namePattern = /^[A-Za-z_$][\w$.]{0,63}$/

/**
 * The one origin that this page talks to: that of the page around it. Where origins are configured it must be one of them.
 * Undefined where nobody is around, or nobody we know: then nothing is said.
 */
function parentOriginOf(frame: Pick<Frame, 'parent' | 'referrer'>, allowed: readonly string[]): string | undefined {
  if (frame.parent === null || !URL.canParse(frame.referrer)) return undefined
  const { origin, protocol } = new URL(frame.referrer)
  if (!/^https?:$/.test(protocol)) return undefined
  return allowed.length === 0 || allowed.includes(origin) ? origin : undefined
}

/**
 * Talks with the page around this one. Messages go to its origin alone, never to `*`; what comes in from another window or
 * origin, or is no message of ours, is not heard.
 */
export function openParentWindow(allowed: readonly string[] = [], frame: Frame = browserFrame()) {
  const { parent } = frame
  const origin = parentOriginOf(frame, allowed)
  return {
    /** Whether somebody is there who is told things. */
    isEmbedded: origin !== undefined,
    /** Says it; false where nobody is there. */
    post: (functionName: string, params: ParentMessage['params'] = {}): boolean => {
      if (parent === null || origin === undefined) return false
      parent.postMessage({ functionName, params }, origin)
      return true
    },
    /** Hears what the page around says until the function it gives is called. */
    listen: (listener: (message: ParentMessage) => void): (() => void) =>
      frame.hear(({ origin: from, source, data }) => {
        if (origin === undefined || from !== origin || source !== parent) return
        const message = readMessage(data)
        if (message) listener(message)
      }),
  }
}

function readMessage(data: unknown): ParentMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { functionName, params = {} } = data as Record<string, unknown>
  if (typeof functionName !== 'string' || !namePattern.test(functionName)) return undefined
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined
  return { functionName, params: params as Record<string, unknown> }
}

/** The frame that this code runs in. */
const browserFrame = (): Frame => ({
  parent: window.parent === window ? null : window.parent,
  referrer: document.referrer,
  hear: listener => {
    window.addEventListener('message', listener)
    return () => window.removeEventListener('message', listener)
  },
})
