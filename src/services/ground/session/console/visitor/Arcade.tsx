const arches = [0, 1, 2, 3, 4]
const shapeOf = (index: number) => `M${12 + index * 104} 300V168a46 46 0 0 1 92 0v132`

/** The house's picture: an arcade with the sun in one of its arches. Decoration only. */
export function Arcade() {
  return (
    <svg className="arcade" viewBox="0 0 520 300" aria-hidden="true" preserveAspectRatio="xMaxYMax slice">
      <circle className="arcade-sun" cx="370" cy="248" r="38" />
      {arches.map(index => (
        <path key={index} className="arcade-arch" d={`${shapeOf(index)}M${58 + index * 104} 122v-14`} />
      ))}
      <path className="arcade-line" d="M0 108h520M0 88h520M0 76h520" />
    </svg>
  )
}
