/** Bytes: twice what the process of the isolates may ever write to (`dataLimit`), and less than V8 refuses by itself. */
const refused = 16 * 1024 ** 3
/** Before the code of a package can put anything in its place. */
const OwnBuffer = ArrayBuffer

/**
 * Collects everything, at once. V8 does that before it refuses a buffer that can grow; a function of its own for it would have
 * to be among its flags, and workerd's own modules are compiled anew for each isolate where it is.
 */
export function collect(): void {
  try {
    new OwnBuffer(refused, { maxByteLength: refused })
  } catch {
    // It was refused, and all that was to be collected is.
  }
}
