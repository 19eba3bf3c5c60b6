import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { StreamLanguage, type StringStream } from '@codemirror/language'

interface RulesState {
  depth: number
  isComment: boolean
  /** Behind match, up to the brace that opens its block. */
  isPath: boolean
}

const keywords = new Set(['match', 'allow', 'if', 'function', 'return', 'let', 'service', 'rules_version', 'in', 'is'])
const methods = new Set(['read', 'write', 'get', 'list', 'create', 'update', 'delete', 'query', 'upsert'])
const known = new Set(['request', 'resource', 'clouddb', 'storage', 'math', 'hashing', 'duration', 'timestamp'])

export const rulesLanguage = StreamLanguage.define<RulesState>({
  name: 'rules',
  startState: () => ({ depth: 0, isComment: false, isPath: false }),
  token(stream, state) {
    if (state.isComment) return comment(stream, state)
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) {
      state.isComment = true
      return comment(stream, state)
    }
    if (state.isPath) return path(stream, state)
    if (stream.match(/[rRbB]{0,2}"(?:[^"\\]|\\.)*"?/) || stream.match(/[rRbB]{0,2}'(?:[^'\\]|\\.)*'?/)) return 'string'
    if (stream.match(/\d[\w.]*/)) return 'number'
    const word = stream.match(/[A-Za-z_]\w*/) as RegExpMatchArray | null
    if (word) return named(word[0], stream, state)
    const char = stream.next()
    if (char === '{' || char === '[' || char === '(') state.depth++
    if (char === '}' || char === ']' || char === ')') state.depth = Math.max(0, state.depth - 1)
    return null
  },
  indent: (state, textAfter, context) => Math.max(0, state.depth - (/^[}\])]/.test(textAfter) ? 1 : 0)) * context.unit,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
    indentOnInput: /^\s*[}\])]$/,
  },
})

function comment(stream: StringStream, state: RulesState): string {
  state.isComment = !stream.match(/.*?\*\//)
  if (state.isComment) stream.skipToEnd()
  return 'comment'
}

function path(stream: StringStream, state: RulesState): string | null {
  if (stream.match(/\{\s*\w+\s*(?:=\s*\*\*?\s*)?\}/)) return 'namespace'
  if (stream.match(/[^/{}\s:]+/)) return 'propertyName'
  if (stream.next() === '{') {
    state.isPath = false
    state.depth++
  }
  return null
}

function named(word: string, stream: StringStream, state: RulesState): string {
  const isMember = /\.\s*$/.test(stream.string.slice(0, stream.start))
  if (isMember) return 'propertyName'
  if (word === 'match') state.isPath = true
  if (keywords.has(word)) return 'keyword'
  if (word === 'true' || word === 'false') return 'bool'
  if (word === 'null') return 'null'
  if (known.has(word)) return 'variableName.standard'
  if (methods.has(word) && /\ballow\b[\w\s,]*$/.test(stream.string.slice(0, stream.start))) return 'number'
  return stream.match(/\s*\(/, false) ? 'variableName.function' : 'variableName'
}

const variables = [
  'request.auth',
  'request.auth.uid',
  'request.auth.provider',
  'request.auth.anonymous',
  'request.auth.token',
  'request.app',
  'request.ip',
  'request.method',
  'request.path',
  'request.query',
  'request.query.limit',
  'request.resource',
  'request.resource.contentType',
  'request.resource.data',
  'request.resource.size',
  'request.time',
  'resource',
  'resource.contentType',
  'resource.creator',
  'resource.data',
  'resource.owner',
  'resource.size',
]
const functions = [
  'clouddb.get',
  'clouddb.exists',
  'storage.exists',
  'size',
  'int',
  'string',
  'timestamp',
  'duration',
  'debug',
  'hashing.sha256',
  'math.abs',
]
const members = [
  'matches',
  'startsWith',
  'endsWith',
  'contains',
  'size',
  'hasAny',
  'hasAll',
  'hasOnly',
  'keys',
  'diff',
  'affectedKeys',
  'lowerAscii',
  'split',
  'inCidr',
]

const options = [
  ...variables.map(label => ({ label, type: 'variable' })),
  ...functions.map(label => ({ label, type: 'function', apply: `${label}(` })),
  ...['allow', 'match', 'function', 'return', 'let', 'if', ...methods].map(label => ({ label, type: 'keyword' })),
]
const memberOptions = members.map(label => ({ label, type: 'method', apply: `${label}(` }))

/** What can be written where the cursor stands. */
export function completeRules(context: CompletionContext): CompletionResult | null {
  const word = context.matchBefore(/[\w.]+/)
  if (!word || (word.from === word.to && !context.explicit)) return null
  const dot = word.text.lastIndexOf('.')
  const isKnown = options.some(option => option.label.startsWith(word.text))
  if (dot > 0 && !isKnown) return { from: word.from + dot + 1, options: memberOptions, validFor: /^\w*$/ }
  return { from: word.from, options, validFor: /^[\w.]*$/ }
}
