import { SignatureFailure } from './problem.ts'

/** A section of a JAR manifest: names are lower case, `bytes` are exactly what digests of the section cover. */
export type JarSection = { attributes: Map<string, string>; bytes: Buffer }

/** A JAR manifest or signature file, split at its blank lines. */
export type JarManifest = { main: JarSection; sections: JarSection[] }

const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20

type Line = { start: number; end: number; next: number }

/** Parses META-INF/MANIFEST.MF or a .SF file as Android does; throws SignatureFailure when it is empty. */
export function parseJarManifest(bytes: Buffer): JarManifest {
  const sections = [...readSections(bytes)]
  const [main, ...rest] = sections
  if (!main) throw new SignatureFailure('malformed', 'a manifest is empty')
  return { main, sections: rest }
}

function* readSections(bytes: Buffer): Generator<JarSection> {
  let at = 0
  let start = 0
  let lines: string[] = []
  while (at < bytes.length) {
    const line = readLine(bytes, at)
    at = line.next
    if (line.start < line.end) {
      // A line that starts with a space continues the one before, even in the middle of a UTF-8 character.
      const isContinued = bytes[line.start] === SPACE && lines.length > 0
      const text = bytes.toString('latin1', isContinued ? line.start + 1 : line.start, line.end)
      if (isContinued) lines[lines.length - 1] += text
      else lines.push(text)
      continue
    }
    if (lines.length > 0) yield section(lines, bytes.subarray(start, at))
    lines = []
    start = at
  }
  if (lines.length > 0) yield section(lines, bytes.subarray(start, at))
}

function readLine(bytes: Buffer, start: number): Line {
  let end = start
  while (end < bytes.length && bytes[end] !== CR && bytes[end] !== LF) end++
  const isPair = bytes[end] === CR && bytes[end + 1] === LF
  return { start, end, next: Math.min(end + (isPair ? 2 : 1), bytes.length) }
}

function section(lines: string[], bytes: Buffer): JarSection {
  const attributes = new Map<string, string>()
  for (const line of lines) {
    const at = line.indexOf(': ')
    const name = (at < 0 ? line : line.slice(0, at)).toLowerCase()
    const value = at < 0 ? '' : Buffer.from(line.slice(at + 2), 'latin1').toString('utf8')
    if (!attributes.has(name)) attributes.set(name, value)
  }
  return { attributes, bytes }
}
