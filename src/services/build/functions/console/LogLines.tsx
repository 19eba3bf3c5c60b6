import './functions.css'

interface Line {
  at: number
  level: string
  line: string
}

/** What a call wrote, with the time of each line to the millisecond. */
export function LogLines({ lines }: { lines: readonly Line[] }) {
  const timeOf = (at: number) => new Date(at).toISOString().slice(11, 23)
  return (
    <ol className="fn-lines" translate="no">
      {lines.map((one, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name, and never change places
        <li key={at} data-level={one.level}>
          <time>{timeOf(one.at)}</time> <b>{one.level}</b> {one.line}
        </li>
      ))}
    </ol>
  )
}
