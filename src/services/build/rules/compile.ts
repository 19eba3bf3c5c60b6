import type { RuledService } from './engine-types.ts'
import type { Program } from './language/compiled.ts'
import { importFirebase } from './language/firebase.ts'
import { parseRules } from './language/parse.ts'
import { compileProgram } from './language/program.ts'
import type { Problem, RulesFile } from './language/syntax.ts'

export interface Compiled {
  file: RulesFile
  program: Program
  problems: Problem[]
  isImported: boolean
  /** The text could be read to its end, whatever it means. */
  isReadable: boolean
}

/** Reads and compiles rules; those in a Firebase form are rewritten while they are read. */
export function compileSource(source: string, service: RuledService): Compiled {
  const { file: read, problems } = parseRules(source)
  const { file, problems: odd, isImported } = importFirebase(read)
  const { program, problems: more } = compileProgram(file, service, source)
  return { file, program, problems: [...problems, ...odd, ...more], isImported, isReadable: problems.length === 0 }
}
