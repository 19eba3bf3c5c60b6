import { createRequire } from 'node:module'

/** What brings DuckDB to a machine whose installation went without it. */
export const installLine = 'npm install --no-save @duckdb/node-api@1.5.6-r.1'

/** Whether the package and what it needs on this machine are there; nothing of it is loaded. */
export function isDuckDbInstalled(from: string = import.meta.url): boolean {
  try {
    const api = createRequire(from).resolve('@duckdb/node-api')
    const bindings = createRequire(api).resolve('@duckdb/node-bindings')
    const own = `@duckdb/node-bindings-${process.platform}-${process.arch}`
    return [own, `${own}-musl`].some(name => canResolve(bindings, `${name}/duckdb.node`))
  } catch {
    return false
  }
}

function canResolve(from: string, name: string): boolean {
  try {
    createRequire(from).resolve(name)
    return true
  } catch {
    return false
  }
}
