/**
 * The picture behind the figures, fetched with the sign-in, which an `<img>` cannot send, and decoded before it is
 * shown. Several places show the same one; it is fetched once.
 */
import { templateImage } from '@fieldroom/contract/design';
import { api } from '../../../platform/api/index.ts';
import { onPersonForgotten } from '../../../platform/storage.ts';

/** The shown picture, and the previous one, which stays until the new one is loaded. */
const KEPT = 2;
const pictures = new Map<string, Promise<string>>();

async function decoded(therapistId: number): Promise<string> {
  const address = URL.createObjectURL(await api.call(templateImage, { params: { therapistId } }));
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
    return address;
  } catch (fault) {
    URL.revokeObjectURL(address);
    throw fault;
  }
}

function forget(imageId: string): void {
  const picture = pictures.get(imageId);
  pictures.delete(imageId);
  picture?.then(URL.revokeObjectURL, () => undefined);
}

/** Takes the therapist and the picture's id, which changes with every upload. Returns its address in this browser. */
export function groundPicture(therapistId: number, imageId: string): Promise<string> {
  const known = pictures.get(imageId);
  if (known) return known;
  const coming = decoded(therapistId);
  pictures.set(imageId, coming);
  // The next caller tries again.
  coming.catch(() => pictures.delete(imageId));
  for (const old of [...pictures.keys()].slice(0, -KEPT)) forget(old);
  return coming;
}

onPersonForgotten(() => [...pictures.keys()].forEach(forget));
