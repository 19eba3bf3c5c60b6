import type { Compiled } from './compile.ts'
import type { RulePlace } from './engine-types.ts'
import { formatRules } from './language/format.ts'
import { Places } from './language/scanner.ts'
import { type Hint, lintRules } from './lints.ts'

export interface Diagnostic {
  severity: 'ERROR' | 'WARN' | 'INFO'
  /** R001 to R009 for hints, E… for what cannot be published. */
  code: string
  /** From 1. */
  line: number
  col: number
  endLine: number
  endCol: number
  message: string
  /** What to put instead of the place, where there is one right thing. */
  fix: { title: string; text: string } | null
}

export interface RulesCheck {
  ok: boolean
  diagnostics: Diagnostic[]
  stats: { matches: number; allows: number; nodes: number }
  /** The same rules as the formatter writes them; null when they cannot be read. */
  formatted: string | null
  /** Rewritten from a Firebase form. */
  isImported: boolean
}

const most = 200

/** Everything there is to say about rules. */
export function checkCompiled(compiled: Compiled, source: string, known: readonly RulePlace[] | null): RulesCheck {
  const { problems, program, file, isImported, isReadable } = compiled
  const places = new Places(source)
  const hints: Hint[] = [
    ...problems.map(one => ({ ...one, severity: one.code.startsWith('I') ? ('INFO' as const) : ('ERROR' as const) })),
    ...(isReadable ? lintRules(compiled, known) : []),
  ]
  const diagnostics = hints
    // However many hints there are, no fault is cut off.
    .sort((a, b) => Number(b.severity === 'ERROR') - Number(a.severity === 'ERROR') || a.start - b.start)
    .slice(0, most)
    .sort((a, b) => a.start - b.start || a.code.localeCompare(b.code))
    .map(({ severity, code, message, start, end, fix }) => {
      const begin = places.of(start)
      const last = places.of(Math.max(end, start + 1))
      return {
        severity,
        code,
        ...begin,
        endLine: last.line,
        endCol: last.col,
        message: message.slice(0, 900),
        fix: fix ?? null,
      }
    })
  return {
    ok: diagnostics.every(one => one.severity !== 'ERROR'),
    diagnostics,
    stats: program.stats,
    formatted: isReadable ? formatRules(file, source, isImported) : null,
    isImported,
  }
}
