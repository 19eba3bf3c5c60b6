const channelKey = 'agc_sourceChannel'
const referrerKey = 'agc_urlRef'

/** Where somebody came from: as the address says, else the page of another host that led here, without its query. */
export function sourceOf(search: string, referrer: string, origin: string) {
  const query = new URLSearchParams(search)
  const led = URL.canParse(referrer) ? new URL(referrer) : undefined
  const foreign = led && led.origin !== origin && /^https?:$/.test(led.protocol) ? led.origin + led.pathname : undefined
  return {
    sourceChannel: query.get(channelKey) ?? query.get('sourceChannel') ?? undefined,
    urlRef: query.get(referrerKey) ?? query.get('urlRef') ?? foreign,
  }
}

/** Keeps where somebody came from at the first visit; a later one changes nothing. */
export function keepSource(
  store: Pick<Storage, 'getItem' | 'setItem'>,
  source: ReturnType<typeof sourceOf>,
): ReturnType<typeof sourceOf> {
  const isFirst = store.getItem(channelKey) === null && store.getItem(referrerKey) === null
  if (isFirst && (source.sourceChannel || source.urlRef)) {
    store.setItem(channelKey, (source.sourceChannel ?? '').slice(0, 200))
    store.setItem(referrerKey, (source.urlRef ?? '').slice(0, 1_000))
  }
  return {
    sourceChannel: store.getItem(channelKey) || undefined,
    urlRef: store.getItem(referrerKey) || undefined,
  }
}
