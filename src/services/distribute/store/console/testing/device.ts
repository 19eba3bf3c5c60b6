/** What the browser says of the device it runs on; each of it may be missing. */
export function deviceOf(userAgent: string, language: string): { model?: string; system?: string; language?: string } {
  const inside = /\(([^)]*)\)/.exec(userAgent)?.[1] ?? ''
  const parts = inside.split(';').map(part => part.trim())
  const android = parts.findIndex(part => part.startsWith('Android'))
  const [system, model] =
    android < 0 ? [parts[1] ?? parts[0], undefined] : [parts[android], parts[android + 1]?.replace(/ Build\/.*/, '')]
  const kept = (text: string | undefined) => (text === undefined ? undefined : text.slice(0, 100))
  return {
    ...(model && model !== 'K' && { model: kept(model) ?? '' }),
    ...(system && { system: kept(system) ?? '' }),
    ...(language && { language: kept(language) ?? '' }),
  }
}
