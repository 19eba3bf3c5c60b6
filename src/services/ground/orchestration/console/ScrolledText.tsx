/** JSON that may be longer than its box; the keyboard scrolls it too. */
export function ScrolledText({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section tabIndex={0} aria-label={label} className="process-scroll process-code">
      <pre translate="no">{text}</pre>
    </section>
  )
}
