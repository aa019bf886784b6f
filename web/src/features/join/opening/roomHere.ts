/**
 * Opens the room in the document of the waiting room. Another document costs a round trip on a weak connection, and its
 * scripts cost as much again on a weak phone (docs/product.md#11.67).
 */
import { CLIENT_ROOM } from '@fieldroom/contract/pages';

/** Starts the room of the present address in an element. */
export type StartRoom = (element: HTMLElement) => Promise<void>;

/** Whether the element shows something other than a loading view or the wait for the field. */
const isDrawn = (element: HTMLElement) => element.querySelector(':scope > :not([aria-busy="true"])') !== null;

/**
 * Takes the element of the waiting room, a function that fetches the room's start, and one that ends the waiting room.
 * The waiting room stays visible, with its connection, until the room is drawn. If the room's start cannot be fetched,
 * its own document is loaded.
 */
export async function openRoomHere(
  waiting: HTMLElement,
  fetchRoom: () => Promise<StartRoom>,
  endWaiting: () => void,
): Promise<void> {
  const document = waiting.ownerDocument;
  const window = document.defaultView!;
  // The room takes the waiting room's place in the history.
  window.history.replaceState(null, '', CLIENT_ROOM);
  try {
    const startRoom = await fetchRoom();
    const room = document.createElement('div');
    waiting.removeAttribute('id');
    room.id = 'root';
    Object.assign(waiting.style, { position: 'fixed', inset: '0', zIndex: '1000', background: 'var(--fr-bg)' });
    waiting.after(room);
    const endOnceDrawn = () => {
      if (!isDrawn(room)) {
        window.requestAnimationFrame(endOnceDrawn);
        return;
      }
      endWaiting();
      waiting.remove();
    };
    await startRoom(room);
    endOnceDrawn();
  } catch {
    window.location.replace(CLIENT_ROOM);
  }
}
