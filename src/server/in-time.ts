/** What `work` answers, unless it takes longer: then `late()` is thrown, and nobody listens to what comes after. */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}
