/** Where new figures stand at first. */
import { type Figure, FIELD_HEIGHT, FIELD_WIDTH } from '@fieldroom/contract/field';

/** A free place near the middle, on a widening spiral, so that new figures do not cover one another. */
export function freePlace(figures: readonly Pick<Figure, 'x' | 'y'>[]): { x: number; y: number } {
  const [centerX, centerY] = [FIELD_WIDTH / 2, FIELD_HEIGHT / 2];
  for (let step = 0; step < 200; step += 1) {
    const angle = step * 2.399963;
    const radius = 34 * Math.sqrt(step);
    const x = Math.round(Math.min(FIELD_WIDTH - 80, Math.max(80, centerX + radius * 1.5 * Math.cos(angle))));
    const y = Math.round(Math.min(FIELD_HEIGHT - 100, Math.max(80, centerY + radius * Math.sin(angle))));
    if (figures.every((figure) => Math.hypot(figure.x - x, (figure.y - y) * 0.8) > 135)) return { x, y };
  }
  return { x: centerX, y: centerY };
}
