/** The public page of an event, and sharing its address. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { eventPage } from '@fieldroom/contract/pages';

/** The address of an event's public page, to be shared. */
export const publicAddress = (event: Pick<OwnEvent, 'therapistName' | 'id'>): string =>
  `${window.location.origin}${eventPage(event)}`;

/**
 * Shares the address by the share sheet of a touch device that has one, else by the clipboard. Returns the result.
 */
export async function shareEvent(event: OwnEvent): Promise<'shared' | 'copied' | 'failed'> {
  const url = publicAddress(event);
  if (navigator.share && window.matchMedia('(pointer: coarse)').matches) {
    // Closing the sheet is a decision, and needs no message.
    await navigator.share({ title: event.eventName, url }).catch(() => undefined);
    return 'shared';
  }
  return navigator.clipboard.writeText(url).then(
    () => 'copied',
    () => 'failed',
  );
}
