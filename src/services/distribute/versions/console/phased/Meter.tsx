/** A part of a whole as a bar; its words and its number say the same. */
export function Meter({ label, share, text }: { label: string; share: number; text: string }) {
  return (
    <div className="phased-meter">
      <span>{label}</span>
      <strong>{text}</strong>
      <div className="phased-track" aria-hidden="true">
        <i style={{ width: `${Math.min(100, share * 100)}%` }} />
      </div>
    </div>
  )
}
