import { language as limits } from '../rules.ts'
import { ExpressionReader } from './parse-expression.ts'
import {
  type AllowStatement,
  type FunctionBlock,
  type Item,
  type LetStatement,
  type MatchBlock,
  type Method,
  methodWords,
  type Problem,
  type RulesFile,
  type ServiceBlock,
  type Token,
} from './syntax.ts'

/** Reads a file of rules, both forms. Goes on after a mistake where the next thing begins, so that all are told at once. */
export function parseRules(source: string): { file: RulesFile; problems: Problem[] } {
  if (Buffer.byteLength(source) > limits.sourceBytes) {
    const message = `Rules may have at most ${limits.sourceBytes / 1024} KiB.`
    return {
      file: { rulesVersion: null, services: [], comments: [] },
      problems: [{ code: 'E003', message, start: 0, end: 1 }],
    }
  }
  const parser = new Parser(source)
  const file = parser.file()
  return { file, problems: parser.problems.sort((a, b) => a.start - b.start) }
}

class Parser extends ExpressionReader {
  file(): RulesFile {
    let rulesVersion: string | null = null
    const services: ServiceBlock[] = []
    while (this.token.kind !== 'end') {
      if (this.isName('rules_version')) {
        this.take()
        this.expect('=')
        rulesVersion = this.token.kind === 'string' ? this.take().text.slice(1, -1) : null
        this.expect(';')
      } else if (this.token.kind === 'name') {
        services.push(this.#service())
      } else {
        this.problem('E010', 'Here a service begins: agc.cloud.storage[ … ].', this.token)
        this.take()
      }
    }
    return { rulesVersion, services, comments: this.comments }
  }

  #service(): ServiceBlock {
    const first = this.token
    const isFirebase = this.isName('service')
    if (isFirebase) this.take()
    const nameStart = this.token.start
    let name = this.#name('the name of a service')
    while (this.isSign('.')) {
      this.take()
      name += `.${this.#name('the rest of the name')}`
    }
    const nameSpan = { start: nameStart, end: this.last }
    const opening = isFirebase ? '{' : '['
    this.expect(opening)
    const body = this.#body(isFirebase ? '}' : ']', 0)
    return {
      name,
      nameSpan,
      form: isFirebase ? 'firebase' : 'agc',
      body,
      start: first.start,
      end: this.last,
    }
  }

  #body(closing: string, depth: number): Item[] {
    const body: Item[] = []
    for (;;) {
      if (this.isSign(closing) || this.token.kind === 'end') {
        this.expect(closing)
        return body
      }
      if (this.isName('match')) body.push(this.#match(depth + 1))
      else if (this.isName('function')) body.push(this.#function())
      else if (this.isName('allow')) body.push(this.#allow(depth))
      else this.#unexpected()
    }
  }

  #unexpected(): void {
    const found = this.token
    this.problem('E011', `Here stands match, allow or function, not ${shown(found)}.`, found)
    // Whatever follows up to the next thing that is known was meant by the same mistake.
    do this.take()
    while (this.token.kind !== 'end' && !this.isBlockWord() && !this.isSign('}') && !this.isSign(']'))
  }

  #match(depth: number): MatchBlock {
    const first = this.token
    if (depth > limits.nestedMatches) {
      this.problem('E012', `Matches may be nested ${limits.nestedMatches} deep.`, first)
    }
    const pattern = this.pattern()
    this.expect('{')
    const body = this.#body('}', depth)
    return { kind: 'match', pattern, body, start: first.start, end: this.last }
  }

  #allow(depth: number): AllowStatement {
    const first = this.take()
    if (depth === 0) this.problem('E013', 'Allow stands inside a match.', first)
    const methods: Method[] = []
    do {
      if (methods.length > 0) this.take()
      const { start, end } = this.token
      const name = this.#name('a method')
      if (name !== '' && !Object.hasOwn(methodWords, name)) {
        const known = Object.keys(methodWords).join(', ')
        this.problem('E014', `There is no method ${name}; there are ${known}.`, { start, end })
      }
      methods.push({ name, start, end })
    } while (this.isSign(','))
    let condition = null
    if (this.isSign(':')) {
      this.take()
      if (this.isName('if')) condition = this.expression()
      else {
        this.problem('E015', 'Behind the colon stands if and a condition.', this.token)
        // It must not become an allow without condition.
        condition = { tokens: [], start: this.last, end: this.last }
      }
    }
    this.expectEnd()
    return { kind: 'allow', methods, condition, start: first.start, end: this.last }
  }

  #function(): FunctionBlock {
    const first = this.take()
    const nameSpan = { start: this.token.start, end: this.token.end }
    const name = this.#name('the name of the function')
    const parameters: string[] = []
    this.expect('(')
    while (!this.isSign(')') && this.token.kind === 'name') {
      parameters.push(this.take().text)
      if (!this.isSign(',')) break
      this.take()
    }
    this.expect(')')
    if (parameters.length > limits.parameters) {
      this.problem('E016', `A function may have ${limits.parameters} parameters.`, nameSpan)
    }
    this.expect('{')
    const lets: LetStatement[] = []
    while (this.isName('let')) lets.push(this.#let())
    if (lets.length > limits.lets) this.problem('E017', `A function may have ${limits.lets} lets.`, nameSpan)
    if (!this.isName('return')) this.problem('E018', 'A function ends with return and a value.', this.token)
    const result = this.expression()
    this.expectEnd()
    this.expect('}')
    const { start } = first
    return {
      kind: 'function',
      name,
      nameSpan,
      parameters,
      lets,
      result,
      start,
      end: this.last,
    }
  }

  #let(): LetStatement {
    const first = this.take()
    const name = this.#name('the name of the value')
    // The equals sign is the token in hand; the value begins behind it.
    if (!this.isSign('=')) this.problem('E019', 'Behind the name stands = and a value.', this.token)
    const value = this.expression()
    this.expectEnd()
    return { name, value, start: first.start, end: this.last }
  }

  #name(what: string): string {
    if (this.token.kind === 'name') return this.take().text
    this.problem('E020', `Here stands ${what}, not ${shown(this.token)}.`, this.token)
    return ''
  }
}

function shown(token: Token): string {
  return token.kind === 'end' ? 'the end' : token.text.slice(0, 40)
}
