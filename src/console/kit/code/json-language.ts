import { StreamLanguage } from '@codemirror/language'

/** Enough of JSON for colours and brackets; whether it is any is said by whoever reads it. */
export const jsonLanguage = StreamLanguage.define<{ depth: number }>({
  name: 'json',
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (stream.eatSpace()) return null
    if (stream.match(/"(?:[^"\\]|\\.)*"(?=\s*:)/)) return 'propertyName'
    if (stream.match(/"(?:[^"\\]|\\.)*"?/)) return 'string'
    if (stream.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number'
    if (stream.match(/true|false/)) return 'bool'
    if (stream.match('null')) return 'null'
    const char = stream.next()
    if (char === '{' || char === '[') state.depth++
    if (char === '}' || char === ']') state.depth--
    return null
  },
  indent: (state, textAfter, context) => (state.depth - (/^[}\]]/.test(textAfter) ? 1 : 0)) * context.unit,
  languageData: { closeBrackets: { brackets: ['[', '{', '"'] }, indentOnInput: /^\s*[}\]]$/ },
})
