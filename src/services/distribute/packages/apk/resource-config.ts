/** The qualifiers of a resource variant that we choose by. */
export type ResourceConfig = {
  /** BCP 47 as aapt prints it ("zh-Hans-CN"), empty for the default. */
  locale: string
  /** Dots per inch; 0 for none. */
  density: number
  /** No qualifier but the locale. */
  isPlain: boolean
}

const LOCALE_START = 8
const LOCALE_END = 12
const SCRIPT_START = 36
const SCRIPT_END = 40
const VARIANT_END = 48
const DENSITY_AT = 14

/** Reads a ResTable_config, which starts with its own size and grew over the years. */
export function resourceConfig(bytes: Buffer): ResourceConfig {
  const sizeBytes = Math.min(bytes.length >= 4 ? bytes.readUInt32LE(0) : 0, bytes.length)
  const config = bytes.subarray(0, sizeBytes)
  let isPlain = true
  for (let at = 4; at < config.length; at++) {
    const isLocale = (at >= LOCALE_START && at < LOCALE_END) || (at >= SCRIPT_START && at < VARIANT_END)
    if (!isLocale && config[at] !== 0) isPlain = false
  }
  const density = config.length >= DENSITY_AT + 2 ? config.readUInt16LE(DENSITY_AT) : 0
  return { locale: localeOf(config), density, isPlain }
}

function localeOf(config: Buffer): string {
  if (config.length < LOCALE_END) return ''
  const language = packedCode(config, LOCALE_START, 0x61)
  const region = packedCode(config, LOCALE_START + 2, 0x30)
  if (language === '') return ''
  const script = config.length >= SCRIPT_END ? text(config, SCRIPT_START, SCRIPT_END) : ''
  const variant = config.length >= VARIANT_END ? text(config, SCRIPT_END, VARIANT_END) : ''
  return [language, script, region, variant].filter(part => part !== '').join('-')
}

/** Two letters as they are, or three packed into 15 bits when the top bit is set. */
function packedCode(config: Buffer, at: number, base: number): string {
  const first = config[at] ?? 0
  const second = config[at + 1] ?? 0
  if ((first & 0x80) === 0) return text(config, at, at + 2)
  const letters = [second & 0x1f, ((second & 0xe0) >> 5) | ((first & 0x03) << 3), (first & 0x7c) >> 2]
  return String.fromCharCode(...letters.map(letter => letter + base))
}

const text = (config: Buffer, start: number, end: number) => config.toString('latin1', start, end).replace(/\0+$/, '')
