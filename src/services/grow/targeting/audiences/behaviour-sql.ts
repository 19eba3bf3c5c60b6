import { type BehaviourLeaf, decidedAttribute, type EventFilter, valueProperty } from './rules.ts'

const dayMs = 86_400_000

type Bind = (value: string | number) => string

/**
 * One statement that decides conditions on events for the units behind `after`, in the order of units: `unit` and a column
 * `decidedAttribute` for each condition. `now` and `from` in epoch milliseconds: what came before `from` is not looked at.
 */
export function behaviourSql(
  behaviours: readonly BehaviourLeaf[],
  { now, from, after, limit }: { now: number; from: number; after: string; limit: number },
): { sql: string; parameters: Record<string, string | number> } {
  const parameters: Record<string, string | number> = {}
  const bind: Bind = value => {
    const name = `p${Object.keys(parameters).length}`
    parameters[name] = value
    return `$${name}`
  }
  const decided = behaviours.map((leaf, at) => `${leafSql(leaf, now, bind)} AS "${decidedAttribute(at)}"`)
  const sql = `SELECT ${['unit', ...decided].join(', ')} FROM read_parquet($files)
    WHERE unit > ${bind(after)} AND "at" >= make_timestamp_ms(${from}) GROUP BY unit ORDER BY unit LIMIT ${limit}`
  return { sql, parameters }
}

function leafSql(leaf: BehaviourLeaf, now: number, bind: Bind): string {
  const since = `make_timestamp_ms(${now - leaf.days * dayMs})`
  if (leaf.op === 'firstSeenWithin') return `min("at") >= ${since}`
  const tests = [
    `name = ${bind(leaf.event)}`,
    `"at" >= ${since}`,
    ...(leaf.where ?? []).map(one => filterSql(one, bind)),
  ]
  return `count(*) FILTER (WHERE ${tests.join(' AND ')}) ${leaf.op === 'did' ? '>=' : '<'} ${leaf.times}`
}

/** What counts as a number: DuckDB would also take `nan`, `inf` and what has spaces around it. */
const numberForm = '-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?'
const asNumber = (text: string) =>
  `CASE WHEN regexp_full_match(${text}, '${numberForm}') THEN try_cast(${text} AS DOUBLE) END`

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

function filterSql({ prop, op, value }: EventFilter, bind: Bind): string {
  const text = prop === valueProperty ? 'CAST(value AS VARCHAR)' : `json_extract_string(props, ${bind(`$."${prop}"`)})`
  const number = prop === valueProperty ? 'value' : asNumber(text)
  const asText = () => `nfc_normalize(${text})`
  const plain = String(value).normalize('NFC')
  if (op === 'exists') return `${text} IS ${value ? 'NOT ' : ''}NULL`
  if (op === 'contains') return `coalesce(contains(${asText()}, ${bind(plain)}), false)`
  if (op !== 'eq' && op !== 'ne') return `coalesce(${number} ${comparisons[op]} ${bind(Number(value))}, false)`
  const equal = typeof value === 'number' ? `${number} = ${bind(value)}` : `${asText()} = ${bind(plain)}`
  return `coalesce(${equal}, false) = ${op === 'eq'}`
}
