import { createRequire } from 'node:module'
import path from 'node:path'
import type { Module } from './handler.ts'

/** Imports the file of the package that a handler names. */
export async function importOf(folder: string, wanted: string): Promise<Module> {
  const dot = wanted.lastIndexOf('.')
  const file = path.join(folder, wanted.slice(0, dot))
  const require = createRequire(path.join(folder, 'package.json'))
  const endings = ['', '.js', '.cjs', '.mjs', '/index.js']
  const there = endings.map(ending => file + ending).find(one => isFile(require, one)) ?? file
  const module = (await import(there)) as Module
  // CommonJS whose names could not be seen from outside.
  const inner = module['default']
  const isCommon = typeof inner === 'object' && inner !== null && module['module.exports'] === inner
  return isCommon ? { ...module, ...(inner as Module) } : module
}

function isFile(require: NodeJS.Require, file: string): boolean {
  try {
    return require.resolve(file) === file
  } catch {
    return false
  }
}
