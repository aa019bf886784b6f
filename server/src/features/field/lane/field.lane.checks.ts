/** The contract's schemas of moves by hand: a valid message causes no allocation. A property test compares both. */
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  SCALE_MAX,
  SCALE_MIN,
  type FieldDragMessage,
  type FieldPointMessage,
} from '@fieldroom/contract/field';

const within = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** Whether `fieldDragMessage` accepts this; the rotation is not yet normalised to 0 ≤ r < 360. */
export function isDrag(body: unknown): body is FieldDragMessage {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  for (const property in body) {
    const value = (body as Record<string, unknown>)[property];
    switch (property) {
      case 'figureId':
        if (!Number.isSafeInteger(value) || (value as number) <= 0) return false;
        break;
      case 'x':
        if (!within(value, 0, FIELD_WIDTH)) return false;
        break;
      case 'y':
        if (!within(value, 0, FIELD_HEIGHT)) return false;
        break;
      case 'rotation':
        if (value !== undefined && !within(value, -3600, 3600)) return false;
        break;
      case 'scale':
        if (value !== undefined && !within(value, SCALE_MIN, SCALE_MAX)) return false;
        break;
      case 'end':
        if (value !== undefined && typeof value !== 'boolean') return false;
        break;
      default:
        return false;
    }
  }
  const { figureId, x, y } = body as Partial<FieldDragMessage>;
  return figureId !== undefined && x !== undefined && y !== undefined;
}

/** Whether `fieldPointMessage` accepts this. */
export function isPoint(body: unknown): body is FieldPointMessage {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return false;
  let count = 0;
  for (const property in body) {
    count += 1;
    if (property !== 'x' && property !== 'y' && property !== 'off') return false;
  }
  const { x, y, off } = body as { x?: unknown; y?: unknown; off?: unknown };
  if ('off' in body) return count === 1 && off === true;
  return within(x, 0, FIELD_WIDTH) && within(y, 0, FIELD_HEIGHT);
}
