/** The public page of an event, and handing out its address. */
import type { OwnEvent } from '@fieldroom/contract/events';

/** The path of an event's public page. */
export const publicPath = ({ therapistName, id }: Pick<OwnEvent, 'therapistName' | 'id'>): string =>
  `/event/${encodeURIComponent(therapistName)}/${id}`;

/** The address of an event's public page, to be handed out. */
export const publicAddress = (event: Pick<OwnEvent, 'therapistName' | 'id'>): string =>
  `${window.location.origin}${publicPath(event)}`;

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
