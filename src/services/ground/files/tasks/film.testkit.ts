/** The smallest MP4 that says what it is: one video track without a single frame. */
export function filmOf(width: number, height: number, seconds: number): Buffer {
  const timescale = 1000
  const duration = seconds * timescale
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
  const mvhd = box('mvhd', u32(0, 0, 0, timescale, duration, 0x10000, 0x01000000, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, 2))
  const tkhd = box('tkhd', u32(3, 0, 0, 1, 0, duration, 0, 0, 0, 0, ...matrix, width << 16, height << 16))
  const mdhd = box('mdhd', u32(0, 0, 0, timescale, duration, 0x55c40000))
  const hdlr = box('hdlr', u32(0, 0), Buffer.from('vide'), u32(0, 0, 0), Buffer.from('Video\0'))
  const sample = box(
    'avc1',
    Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
    Buffer.alloc(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    box('avcC', Buffer.from('0142c01effe1000467 42c01e010004 68ce3c80'.replaceAll(' ', ''), 'hex')),
  )
  const stbl = box(
    'stbl',
    box('stsd', u32(0, 1), sample),
    box('stts', u32(0, 1, 1, duration)),
    box('stsc', u32(0, 1, 1, 1, 1)),
    box('stsz', u32(0, 16, 1)),
    box('stco', u32(0, 1, 32)),
  )
  const dinf = box('dinf', box('dref', u32(0, 1), box('url ', u32(1))))
  const minf = box('minf', box('vmhd', u32(1, 0, 0)), dinf, stbl)
  const moov = box('moov', mvhd, box('trak', tkhd, box('mdia', mdhd, hdlr, minf)))
  const ftyp = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomavc1'))
  return Buffer.concat([ftyp, box('mdat', Buffer.alloc(16)), moov])
}

function box(name: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), Buffer.from(name, 'latin1'), body])
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, at) => {
    bytes.writeUInt32BE(value >>> 0, at * 4)
  })
  return bytes
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, at) => {
    bytes.writeUInt16BE(value, at * 2)
  })
  return bytes
}
