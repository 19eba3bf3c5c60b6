/** How much of each limit is used, as bars: the label, what is used and what there is room for. */
export function Usage({
  label,
  items,
}: {
  label: string
  items: readonly { id: number; label: string; used: number; limit: number }[]
}) {
  return (
    <ul className="harmony-usage" aria-label={label}>
      {items.map(item => (
        <li key={item.id}>
          <span>
            {item.label} <span className="lg-soft">{`${item.used} / ${item.limit}`}</span>
          </span>
          <meter
            aria-label={`${item.label}: ${item.used} / ${item.limit}`}
            min={0}
            max={item.limit}
            high={item.limit * 0.9}
            optimum={0}
            value={item.used}
          />
        </li>
      ))}
    </ul>
  )
}
