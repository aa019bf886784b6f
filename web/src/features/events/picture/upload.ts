/**
 * The upload of a picture, which on a slow line takes a minute: it tells how far it is and can be stopped (UI: long
 * work). `fetch` tells nothing of what has left, so this one call goes by XMLHttpRequest; a refusal is the same
 * `ApiProblem`.
 */
import { type EventScope, uploadEventImage } from '@fieldroom/contract/events';
import type { ReplyOf } from '@fieldroom/contract/http';
import { ApiProblem, fillPath, personHeaders, problemFromBody } from '../../../platform/api/index.ts';
import { storage } from '../../../platform/storage.ts';
import { getMyEvent } from '../eventsApi.ts';

interface UploadOptions {
  /** Stops it: nothing is kept of what has not arrived whole. The call then throws an AbortError. */
  signal?: AbortSignal;
  /** Hears what part has left, 0 to 1. At 1 the server still has to make its own picture of it. */
  onProgress?(part: number): void;
}

function answerOf(line: XMLHttpRequest): unknown {
  try {
    return JSON.parse(line.responseText);
  } catch {
    return null;
  }
}

/**
 * Sends a picture of at most `IMAGE_BYTES_MAX`. Takes the event, and whether it is for this occurrence alone or for all
 * later ones of its series too. Returns its name. Problems: `image_unreadable`, `payload_too_large`, `quota_reached`,
 * `event_cancelled`.
 */
function sendPicture(
  eventId: number,
  picture: File,
  scope: EventScope,
  { signal, onProgress }: UploadOptions = {},
): Promise<ReplyOf<typeof uploadEventImage>> {
  return new Promise((done, fail) => {
    const stopped = () => fail(new DOMException('the upload was stopped', 'AbortError'));
    if (signal?.aborted) {
      stopped();
      return;
    }
    const line = new XMLHttpRequest();
    line.open(uploadEventImage.method, `${fillPath(uploadEventImage.path, { eventId })}?scope=${scope}`);
    for (const [name, value] of Object.entries(personHeaders(storage))) line.setRequestHeader(name, value);
    line.setRequestHeader('accept', 'application/json, application/problem+json');
    line.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    line.onload = () => {
      const body = answerOf(line);
      const fileName =
        typeof body === 'object' && body !== null ? (body as Record<string, unknown>)['fileName'] : undefined;
      if (line.status < 400 && typeof fileName === 'string') done({ fileName });
      else fail(problemFromBody(body, line.status, Number(line.getResponseHeader('retry-after')) || null));
    };
    line.onerror = () => fail(new ApiProblem('offline'));
    line.onabort = stopped;
    signal?.addEventListener('abort', () => line.abort(), { once: true });
    const form = new FormData();
    form.append('file', picture, picture.name);
    line.send(form);
  });
}

/** Uploads an event's picture, as `sendPicture` does, and lets the app hear of a sign-in that has ended. */
export async function uploadPicture(
  eventId: number,
  picture: File,
  scope: EventScope,
  options: UploadOptions = {},
): Promise<{ fileName: string }> {
  try {
    return await sendPicture(eventId, picture, scope, options);
  } catch (fault) {
    // Only `api.call` tells the app that the sign-in has ended, and the upload does not use it: ask once more there.
    if (fault instanceof ApiProblem && (fault.code === 'session_expired' || fault.code === 'not_signed_in'))
      await getMyEvent(eventId);
    throw fault;
  }
}
