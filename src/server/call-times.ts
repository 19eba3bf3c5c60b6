/** Seconds; the last is infinite and takes what is above all. */
const bounds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60] as const

/** One series of the histogram: of one call and one status. */
export class CallSeries {
  readonly counts = new Float64Array(bounds.length + 1)
  sum = 0

  observe(seconds: number): void {
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] as number)) at++
    this.counts[at] = (this.counts[at] as number) + 1
    this.sum += seconds
  }
}

interface CallLabels {
  service: string
  call: string
  status: number
}

/**
 * A histogram in the form prom-client's registry reads. Its own builds a text of the labels at each observation, which
 * is a fortieth of what a device's question costs in all.
 */
export class CallTimes {
  readonly name = 'loggia_call_seconds'
  readonly help = 'Time from the first look at a call to the head of its answer'
  readonly type = 'histogram'
  readonly aggregator = 'sum'
  readonly #series = new Map<CallSeries, CallLabels>()

  /** A new series; whoever asks keeps it. */
  seriesOf(labels: CallLabels): CallSeries {
    const series = new CallSeries()
    this.#series.set(series, labels)
    return series
  }

  reset(): void {
    for (const series of this.#series.keys()) {
      series.counts.fill(0)
      series.sum = 0
    }
  }

  async get() {
    const values = [...this.#series].flatMap(([series, labels]) => {
      let below = 0
      const buckets = [...series.counts].map((count, at) => {
        below += count
        return { metricName: `${this.name}_bucket`, labels: { le: bounds[at] ?? '+Inf', ...labels }, value: below }
      })
      return [
        ...buckets,
        { metricName: `${this.name}_sum`, labels, value: series.sum },
        { metricName: `${this.name}_count`, labels, value: below },
      ]
    })
    return { name: this.name, help: this.help, type: this.type, aggregator: this.aggregator, values }
  }
}
