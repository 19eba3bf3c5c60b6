import type { FastifyRequest } from 'fastify'
import { badField } from './problem.ts'

const maxDepth = 32

/** Reads a JSON body: at most 32 levels deep, and no key that reaches into prototypes. An empty body is none. */
export function parseJson(
  _request: FastifyRequest,
  body: string | Buffer,
  done: (error: Error | null, value?: unknown) => void,
): void {
  const text = body as string
  try {
    done(null, text === '' ? undefined : readJson(text))
  } catch (error) {
    done(error instanceof SyntaxError ? badField('', 'json', 'is not JSON') : (error as Error))
  }
}

/** Reads JSON text as bodies are read, for handlers that read theirs themselves. Throws SyntaxError, or the 400 of what is refused. */
export function readJson(text: string): unknown {
  if (isTooDeep(text)) throw badField('', 'depth', `is nested more than ${maxDepth} levels deep`)
  // The reviver costs ten times the parse; only a text that may hold such a key gets it.
  return mayReachPrototypes.test(text) ? JSON.parse(text, refusePrototypeKeys) : JSON.parse(text)
}

/** Most bodies have fewer brackets than levels are allowed; only the others are walked. */
function isTooDeep(text: string): boolean {
  return opens(text, '{') + opens(text, '[') > maxDepth && isNestedDeeper(text)
}

function opens(text: string, bracket: string): number {
  let found = 0
  for (let at = text.indexOf(bracket); at !== -1 && found <= maxDepth; at = text.indexOf(bracket, at + 1)) found++
  return found
}

function isNestedDeeper(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === 92) at++
      else if (code === 34) isInText = false
    } else if (code === 34) isInText = true
    else if (code === 123 || code === 91) {
      if (++depth > maxDepth) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

const mayReachPrototypes = /__proto__|constructor|prototype|\\u/

function refusePrototypeKeys(key: string, value: unknown): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') {
    throw badField('', 'key', `must not have a key ${key}`)
  }
  return value
}
