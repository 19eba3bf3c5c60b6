import type { Cell, Column, Place, TypeModel } from '../model.ts'
import { type KnownRow, resourceOf } from '../objects/access.ts'
import { type SeenField, sealerFor } from '../objects/read.ts'
import { keyText, toWire } from '../objects/values.ts'

export type Stored = Record<string, Cell>

/** A row of the log. Both images null: everything may have changed. */
export interface LoggedChange {
  seq: string
  zoneId: string
  typeKey: string
  version: string
  before: Stored | null
  after: Stored | null
}

/** An image of the log as conditions and rules read it. */
export class LoggedRow implements KnownRow {
  readonly type: TypeModel
  readonly #stored: Stored
  #resource: Record<string, unknown> | undefined
  readonly #texts = new Map<readonly SeenField[] | null, string>()

  constructor(type: TypeModel, stored: Stored) {
    this.type = type
    this.#stored = stored
  }

  cellOf(column: Column): Cell {
    return this.#stored[column.name] ?? null
  }

  get creator(): string | null {
    return (this.#stored['naturalbase_creator'] as string | null) ?? null
  }

  get version(): string {
    return String(this.#stored['naturalbase_version'])
  }

  get operationTime(): number {
    return Number(this.#stored['naturalbase_operationtime'])
  }

  get key(): string {
    return keyText(this.type, column => this.cellOf(column))
  }

  /** For rules; made once however many groups ask. */
  get resource(): Record<string, unknown> {
    this.#resource ??= resourceOf(this.type, this)
    return this.#resource
  }

  /** As listeners get it; made once however many get it. `fields`: those that an older app knows. */
  textIn(place: Place, fields: readonly SeenField[] | null = null): string {
    let text = this.#texts.get(fields)
    if (text === undefined) {
      text = JSON.stringify(this.#wireOf(place, fields))
      this.#texts.set(fields, text)
    }
    return text
  }

  #wireOf(place: Place, fields: readonly SeenField[] | null): Stored {
    const sealer = sealerFor(place)
    const row: Stored = {}
    const put = (column: Column) => {
      const cell = this.cellOf(column)
      row[column.name] = toWire(column, column.isSealed ? sealer.open(column, cell) : cell)
    }
    if (fields === null) for (const column of this.type.columns) put(column)
    else {
      for (const { name, column, absent } of fields) {
        if (column) put(column)
        else row[name] = absent
      }
    }
    row['naturalbase_version'] = this.version
    return row
  }

  /** Only what names the row: who may not see it learns no more. */
  keyJson(): string {
    return JSON.stringify(Object.fromEntries(this.type.keys.map(key => [key.name, toWire(key, this.cellOf(key))])))
  }
}
