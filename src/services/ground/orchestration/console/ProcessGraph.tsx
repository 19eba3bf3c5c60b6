import { useTranslation } from 'react-i18next'
import { dependenciesOf, levelsOf } from '../rules.ts'
import { callText, type Step } from './process-calls.ts'

const box = { width: 220, height: 62, gapX: 64, gapY: 18 }

interface ProcessGraphProps {
  steps: readonly Step[]
  onChoose?: ((id: string) => void) | undefined
}

/** Boxes from left to right, each behind all that it waits for. The boxes are buttons; the table below says the same in words. */
export function ProcessGraph({ steps, onChoose }: ProcessGraphProps) {
  const { t } = useTranslation('ground/orchestration')
  const levels = levelsOf(steps)
  const places = new Map(
    levels.flatMap((level, column) =>
      level.map((step, row) => [
        step.id,
        { step, x: column * (box.width + box.gapX), y: row * (box.height + box.gapY) },
      ]),
    ),
  )
  const width = levels.length * (box.width + box.gapX) - box.gapX
  const height = Math.max(1, ...levels.map(level => level.length)) * (box.height + box.gapY) - box.gapY
  const arrows = [...places.values()].flatMap(({ step, x, y }) =>
    [...dependenciesOf(step)].flatMap(id => {
      const from = places.get(id)
      return from ? [{ key: `${id} ${step.id}`, from, x, y }] : []
    }),
  )
  return (
    <section className="process-graph" aria-label={t('graph.label')}>
      <div className="process-canvas" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          <defs>
            <marker
              id="process-arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0 L8 4 L0 8 z" className="process-arrow-head" />
            </marker>
          </defs>
          {arrows.map(({ key, from, x, y }) => {
            const startX = from.x + box.width
            const startY = from.y + box.height / 2
            const endY = y + box.height / 2
            const bend = Math.max(28, (x - startX) / 2)
            return (
              <path
                key={key}
                className="process-arrow"
                markerEnd="url(#process-arrow)"
                d={`M${startX} ${startY} C${startX + bend} ${startY} ${x - bend} ${endY} ${x - 2} ${endY}`}
              />
            )
          })}
        </svg>
        {[...places.values()].map(({ step, x, y }) => (
          <button
            key={step.id}
            type="button"
            data-action="openStep"
            className={`process-step ${step.optional ? 'process-optional' : ''}`}
            style={{ left: x, top: y, width: box.width, height: box.height }}
            disabled={!onChoose}
            onClick={() => onChoose?.(step.id)}
          >
            <strong translate="no">{step.id}</strong>
            <span translate="no">{callText(step)}</span>
          </button>
        ))}
      </div>
    </section>
  )
}
