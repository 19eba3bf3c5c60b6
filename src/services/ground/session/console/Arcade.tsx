const arches = [0, 1, 2, 3, 4]

/** The house's picture: an arcade, drawn with a few lines. Decoration only. */
export function Arcade() {
  return (
    <svg className="arcade" viewBox="0 0 520 300" aria-hidden="true" preserveAspectRatio="xMidYMax slice">
      <path className="arcade-sun" d="M330 300a88 88 0 0 1 176 0z" />
      {arches.map(index => (
        <path
          key={index}
          className="arcade-arch"
          d={`M${12 + index * 104} 300V168a46 46 0 0 1 92 0v132M${58 + index * 104} 122v-14`}
        />
      ))}
      <path className="arcade-line" d="M0 92h520M0 76h520" />
    </svg>
  )
}
