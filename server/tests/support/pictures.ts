/** A picture that people upload, and the calls by which it comes and is shown. */
import sharp from 'sharp';
import type { BuiltAccount } from '../../src/builders/accounts.builders.ts';
import type { TestApp } from './test-app.ts';

type Caller = Pick<TestApp, 'fetch'>;

/** Returns a small photo as a camera stores it. */
export const aPhoto = (): Promise<Buffer> =>
  sharp({ create: { width: 80, height: 60, channels: 3, background: '#c8783c' } })
    .jpeg()
    .toBuffer();

/** Uploads a photo to an address, as the pages do. */
export function uploadTo(on: Caller, { token }: BuiltAccount, at: string, photo: Buffer): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), 'picture.jpg');
  return on.fetch(at, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form });
}

/** Uploads the picture of an event. */
export const uploadPicture = (on: Caller, therapist: BuiltAccount, eventId: number, photo: Buffer): Promise<Response> =>
  uploadTo(on, therapist, `/api/event/images/${eventId}/upload`, photo);

/** Asks for the picture of an event, as its page does. */
export const showPicture = (on: Caller, eventId: number, fileName: string): Promise<Response> =>
  on.fetch(`/api/event/image/${eventId}/${fileName}`);
