/** A colour as three numbers from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** `#ff8000`, in lower case. */
export function hexOf(colour: Rgb): string {
  return `#${colour.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** The colour of `#ff8000`. */
export function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

/** Relative luminance as WCAG 2.2 defines it: 0 black, 1 white. */
export function luminanceOf(colour: Rgb): number {
  const [red, green, blue] = colour.map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours as WCAG 2.2 defines it, from 1 to 21, cut to two decimals. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(rgbOf(one)), luminanceOf(rgbOf(other))].sort((a, b) => b - a)
  return Math.floor(((light + 0.05) / (dark + 0.05)) * 100) / 100
}

/** Black or white, whichever is read better on a colour. */
export function textColourOn(colour: string): '#ffffff' | '#000000' {
  return contrastOf(colour, '#ffffff') >= contrastOf(colour, '#000000') ? '#ffffff' : '#000000'
}

/**
 * The colours of pixels (three bytes each) by k-means, the most frequent first, with the share of each in hundredths of a
 * percent. The same pixels give the same colours: each new centre begins at the pixel farthest from those before.
 */
export function paletteOf(pixels: Uint8Array, most: number): { color: string; shareBp: number }[] {
  const points: Rgb[] = []
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    points.push([pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0])
  }
  if (points.length === 0) return []
  let centres = firstCentres(points, most)
  let groups = groupsOf(points, centres)
  for (let round = 0; round < 20; round++) {
    const moved = centres.map((centre, index) => meanOf(points, groups, index) ?? centre)
    const isStill = moved.every((centre, index) => distance(centre, centres[index] as Rgb) < 0.25)
    centres = moved
    groups = groupsOf(points, centres)
    if (isStill) break
  }
  const counted = new Map<string, number>()
  for (const group of groups) {
    const color = hexOf(centres[group] as Rgb)
    counted.set(color, (counted.get(color) ?? 0) + 1)
  }
  return [...counted]
    .sort(([a, many], [b, more]) => more - many || a.localeCompare(b))
    .map(([color, count]) => ({ color, shareBp: Math.round((count / points.length) * 10_000) }))
}

function firstCentres(points: readonly Rgb[], most: number): Rgb[] {
  const mean = meanOf(points, null, 0) as Rgb
  const centres: Rgb[] = [nearestTo(points, mean)]
  while (centres.length < most) {
    let farthest: Rgb | undefined
    let far = 0
    for (const point of points) {
      const away = Math.min(...centres.map(centre => distance(centre, point)))
      if (away > far) [far, farthest] = [away, point]
    }
    if (!farthest) break
    centres.push(farthest)
  }
  return centres
}

function nearestTo(points: readonly Rgb[], wanted: Rgb): Rgb {
  return points.reduce((best, point) => (distance(point, wanted) < distance(best, wanted) ? point : best))
}

function groupsOf(points: readonly Rgb[], centres: readonly Rgb[]): number[] {
  return points.map(point => {
    let nearest = 0
    centres.forEach((centre, index) => {
      if (distance(centre, point) < distance(centres[nearest] as Rgb, point)) nearest = index
    })
    return nearest
  })
}

/** The mean of a group's points, of all where no groups are given; null of an empty one. */
function meanOf(points: readonly Rgb[], groups: readonly number[] | null, group: number): Rgb | null {
  let count = 0
  const sum: [number, number, number] = [0, 0, 0]
  points.forEach((point, index) => {
    if (groups && groups[index] !== group) return
    count++
    for (const part of [0, 1, 2] as const) sum[part] += point[part]
  })
  return count === 0 ? null : [sum[0] / count, sum[1] / count, sum[2] / count]
}

function distance(one: Rgb, other: Rgb): number {
  return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2
}
