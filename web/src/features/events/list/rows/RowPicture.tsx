import type { OwnEvent } from '@fieldroom/contract/events';
import { pictureAddress } from '../../eventsApi.ts';
import { EventPicture } from '../../picture/EventPicture.tsx';
import { OwnPicture } from '../../picture/OwnPicture.tsx';

/** An event's picture. A deleted event's is only for its therapist; every other one is public. */
export function RowPicture({ event }: { event: OwnEvent }) {
  const fileName = event.files[0];
  if (fileName && event.deleted) return <OwnPicture image={{ eventId: event.id, fileName }} seed={event.seriesId} />;
  return <EventPicture address={fileName ? pictureAddress(event.id, fileName) : null} seed={event.seriesId} />;
}
