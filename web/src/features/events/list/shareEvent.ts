/** The public page of an event, and handing out its address. */
import type { OwnEvent } from '@fieldroom/contract/events';
import { eventPage } from '@fieldroom/contract/pages';

/** The address of an event's public page, to be handed out. */
export const publicAddress = (event: Pick<OwnEvent, 'therapistName' | 'id'>): string =>
  `${window.location.origin}${eventPage(event)}`;

/**
 * Shares the address by the device's own sheet where there is one for fingers, else by the clipboard. Returns what
 * became of it.
 */
export async function shareEvent(event: OwnEvent): Promise<'shared' | 'copied' | 'failed'> {
  const url = publicAddress(event);
  if (navigator.share && window.matchMedia('(pointer: coarse)').matches) {
    // Closing the sheet is a decision, and nothing has to be said about it.
    await navigator.share({ title: event.eventName, url }).catch(() => undefined);
    return 'shared';
  }
  return navigator.clipboard.writeText(url).then(
    () => 'copied',
    () => 'failed',
  );
}
