/** The upload of an event's picture: it reports its progress and can be stopped. */
import { type EventScope, uploadEventImage } from '@fieldroom/contract/events';
import { fillPath } from '../../../platform/api/index.ts';
import { sendFile, textIn, type UploadOptions } from '../../../platform/fetching/sendFile.ts';
import { getMyEvent } from '../eventsApi.ts';

/**
 * Uploads a picture of at most `PICTURE_UPLOAD.maxBytes`. Takes the event, and whether it is only for this occurrence
 * or for all later ones of its series too. Returns its name. Problems: `image_unreadable`, `payload_too_large`,
 * `quota_reached`, `event_cancelled`.
 */
export async function uploadPicture(
  eventId: number,
  picture: File,
  scope: EventScope,
  options: UploadOptions = {},
): Promise<{ fileName: string }> {
  const address = `${fillPath(uploadEventImage.path, { eventId })}?scope=${scope}`;
  const answer = await sendFile(address, picture, options, () => getMyEvent(eventId));
  return { fileName: textIn(answer, 'fileName') };
}
