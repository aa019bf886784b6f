import type { OwnEvent } from '@fieldroom/contract/events';
import { pictureAddress } from '../../eventsApi.ts';
import { EventPicture } from '../../picture/EventPicture.tsx';
import { OwnPicture } from '../../picture/OwnPicture.tsx';

/** The address of an event's picture; null if it has none, or if only its therapist may see it. */
export function rowPictureAddress({ id, files: [fileName], deleted }: OwnEvent): string | null {
  return fileName && !deleted ? pictureAddress(id, fileName) : null;
}

/**
 * An event's picture. A deleted event's is only for its therapist; every other one is public. `first`: it is visible as
 * soon as the page is drawn.
 */
export function RowPicture({ event, first = false }: { event: OwnEvent; first?: boolean }) {
  const fileName = event.files[0];
  if (fileName && event.deleted) return <OwnPicture image={{ eventId: event.id, fileName }} seed={event.seriesId} />;
  return <EventPicture address={rowPictureAddress(event)} seed={event.seriesId} first={first} />;
}
