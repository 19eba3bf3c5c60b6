/** Places are offsets into the source, the end excluded. */
export interface Span {
  start: number
  end: number
}

export interface Comment extends Span {
  text: string
  /** Stands behind something on its line. */
  isTrailing: boolean
}

export type TokenKind = 'name' | 'number' | 'string' | 'sign' | 'path' | 'end'

export interface Token extends Span {
  kind: TokenKind
  text: string
  /** Of a path: what stands between the slashes. */
  segments?: PathSegment[]
}

export type PathSegment = { literal: string } | { expression: Expression }

export interface Expression extends Span {
  tokens: Token[]
}

export type PatternSegment = { kind: 'literal'; text: string } | { kind: 'one' | 'rest'; name: string }

export interface Pattern extends Span {
  segments: PatternSegment[]
}

export interface Method extends Span {
  name: string
}

export interface AllowStatement extends Span {
  kind: 'allow'
  methods: Method[]
  condition: Expression | null
}

export interface LetStatement extends Span {
  name: string
  value: Expression
}

export interface FunctionBlock extends Span {
  kind: 'function'
  name: string
  nameSpan: Span
  parameters: string[]
  lets: LetStatement[]
  result: Expression
}

export interface MatchBlock extends Span {
  kind: 'match'
  pattern: Pattern
  body: Item[]
}

export type Item = FunctionBlock | MatchBlock | AllowStatement

export interface ServiceBlock extends Span {
  name: string
  nameSpan: Span
  form: 'agc' | 'firebase'
  body: Item[]
}

export interface RulesFile {
  rulesVersion: string | null
  services: ServiceBlock[]
  /** All of them, in their order. */
  comments: readonly Comment[]
}

/** Something that cannot be read or compiled, by place. */
export interface Problem extends Span {
  code: string
  message: string
}

export const methodNames = ['get', 'list', 'create', 'update', 'delete'] as const
export type MethodName = (typeof methodNames)[number]

/** What the words of a statement stand for. */
export const methodWords: Readonly<Record<string, readonly MethodName[]>> = {
  get: ['get'],
  list: ['list'],
  query: ['list'],
  read: ['get', 'list'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
  upsert: ['create', 'update'],
  write: ['create', 'update', 'delete'],
}
