/**
 * Opens the room in the document of the waiting room. On a weak connection another document costs a round trip, and on
 * a weak phone its scripts cost as much again (docs/product.md#11.67).
 */
import { CLIENT_ROOM } from '@fieldroom/contract/pages';

/** Starts the room of the present address in an element. */
export type StartRoom = (element: HTMLElement) => Promise<void>;

/** Whether something else is drawn in the element than that it loads, or that its field is still to come. */
const isDrawn = (element: HTMLElement) => element.querySelector(':scope > :not([aria-busy="true"])') !== null;

/**
 * Takes the element of the waiting room, how to fetch what starts the room, and how to end the waiting room. The
 * waiting room stays in sight, with its connection, until the room is drawn. Where the room's start cannot be fetched,
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
