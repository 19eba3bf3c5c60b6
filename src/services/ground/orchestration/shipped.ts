import { createHash } from 'node:crypto'
import type { Definition } from './contract.ts'
import app from './definitions/app.json' with { type: 'json' }
import comment from './definitions/comment.json' with { type: 'json' }
import file from './definitions/file.json' with { type: 'json' }
import harmony from './definitions/harmony.json' with { type: 'json' }
import home from './definitions/home.json' with { type: 'json' }
import material from './definitions/material.json' with { type: 'json' }
import menu from './definitions/menu.json' with { type: 'json' }
import onShelf from './definitions/on-shelf.json' with { type: 'json' }
import packages from './definitions/packages.json' with { type: 'json' }
import team from './definitions/team.json' with { type: 'json' }
import test from './definitions/test.json' with { type: 'json' }
import user from './definitions/user.json' with { type: 'json' }

/** The processes that come with the program. */
export const shippedDefinitions = [
  ...[...app, ...menu, ...home, ...user, ...team, ...packages, ...material],
  ...[...test, ...file, ...comment, ...onShelf, ...harmony],
] as Definition[]

/** Equal for definitions that say the same, whatever the order of their fields. */
export function digestOf(definition: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(definition)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}
