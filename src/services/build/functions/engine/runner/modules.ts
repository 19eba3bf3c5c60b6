import { createRequire } from 'node:module'
import path from 'node:path'
import { types } from 'node:util'
import { asModule, type Module } from './handler.ts'
import { filesOf } from './named-file.ts'

/**
 * The file of the package that a handler names. By `require`, of both kinds of modules: an import searches CommonJS for
 * its names before it runs it, and of a bundle that takes several times as long as all the rest.
 */
export async function moduleOf(folder: string, wanted: string): Promise<Module> {
  const require = createRequire(path.join(folder, 'package.json'))
  const files = filesOf(wanted)
  const there = path.join(folder, files.find(one => isFile(require, path.join(folder, one))) ?? files[0])
  try {
    const found: unknown = require(there)
    return types.isModuleNamespaceObject(found) ? (found as Module) : asModule(found)
  } catch (error) {
    if ((error as { code?: string } | null)?.code !== 'ERR_REQUIRE_ASYNC_MODULE') throw error
    return (await import(there)) as Module
  }
}

function isFile(require: NodeJS.Require, file: string): boolean {
  try {
    return require.resolve(file) === file
  } catch {
    return false
  }
}
