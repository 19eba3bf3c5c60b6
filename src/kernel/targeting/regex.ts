import { RE2JS } from 're2js'

const mostPattern = 256

/** Longer texts match no pattern: a match takes time with the length of the text. */
const mostText = 4096

/** Why a pattern cannot be used: it must be linear, as RE2 has it; undefined when it can. */
export function regexProblem(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string' || pattern === '' || pattern.length > mostPattern) {
    return `a pattern has 1 to ${mostPattern} characters`
  }
  try {
    RE2JS.compile(pattern)
    return undefined
  } catch {
    return 'this is no pattern of RE2: looking ahead or back and references to groups are not among them'
  }
}

/** What finds a pattern in a text, in time that grows with the text only. The pattern is one `regexProblem` has passed. */
export function finderOf(pattern: string, isCaseInsensitive: boolean): (text: string) => boolean {
  const compiled = RE2JS.compile(pattern, isCaseInsensitive ? RE2JS.CASE_INSENSITIVE : 0)
  return text => text.length <= mostText && compiled.test(text)
}
