import { eventImage } from '@fieldroom/contract/events';
import { fillPath } from '../../../platform/api/request.ts';

/** The address of an event's picture, null if it has none. */
export const pictureOf = ({ id, files: [fileName] }: { id: number; files: readonly string[] }): string | null =>
  fileName === undefined ? null : fillPath(eventImage.path, { eventId: id, fileName });
