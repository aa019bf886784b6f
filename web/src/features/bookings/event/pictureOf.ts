import { eventImage } from '@fieldroom/contract/events';
import { fillPath } from '../../../platform/api/request.ts';

/** Where the picture of an event is shown from, null where it has none. */
export const pictureOf = ({ id, files: [fileName] }: { id: number; files: readonly string[] }): string | null =>
  fileName === undefined ? null : fillPath(eventImage.path, { eventId: id, fileName });
