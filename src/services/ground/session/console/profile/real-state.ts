import type { Tone } from '../../../../../console/kit/StatusBadge.tsx'

/** How each real-name state looks. */
export const realStateTone: Readonly<Record<number, Tone>> = {
  0: 'off',
  1: 'waiting',
  2: 'good',
  3: 'good',
  4: 'bad',
  5: 'caution',
}
