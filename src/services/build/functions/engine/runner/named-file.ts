/** Where the file of a package may be that a handler names, in turn: `index.handler`, `src/main.default`. */
export function filesOf(handler: string): readonly [string, ...string[]] {
  const file = handler.slice(0, handler.lastIndexOf('.'))
  return [file, ...['.js', '.cjs', '.mjs', '/index.js'].map(ending => file + ending)]
}
