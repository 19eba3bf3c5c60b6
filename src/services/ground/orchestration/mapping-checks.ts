import { MappingError, operatorOf, type PathPart, readPath } from './mapping.ts'
import { limits } from './rules.ts'

/** What is wrong with reading a path of a step's answer, if anything. */
export type CheckRead = (step: string, path: readonly PathPart[]) => string | undefined

/** Every path, operator and depth of a mapping, without running it. */
export function checkMapping(
  mapping: unknown,
  pointer: string,
  say: (pointer: string, rule: string, message: string) => void,
  checkRead: CheckRead,
  depth = 0,
): void {
  try {
    if (typeof mapping === 'string' && mapping.startsWith('$.')) {
      const [root, step, body, ...path] = readPath(mapping, pointer)
      if (root !== 'steps') return
      if (body !== 'body') say(pointer, 'path', 'of a step its body is read: $.steps.app.body')
      const wrong = checkRead(String(step), path)
      if (wrong) say(pointer, 'unknown', wrong)
    }
    if (typeof mapping !== 'object' || mapping === null) return
    if (depth >= limits.mappingDepth) {
      say(pointer, 'depth', `is deeper than ${limits.mappingDepth} levels`)
      return
    }
    operatorOf(mapping, pointer)
    for (const [key, one] of Object.entries(mapping)) checkMapping(one, `${pointer}/${key}`, say, checkRead, depth + 1)
  } catch (error) {
    if (!(error instanceof MappingError)) throw error
    say(error.pointer, 'mapping', error.message)
  }
}
