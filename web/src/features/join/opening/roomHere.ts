/**
 * Opens the room in the document of the waiting room: on a weak connection another document costs a round trip, and on a
 * weak phone its scripts cost as much again (docs/product.md#11.67).
 */
import { ROOM_PATH } from './roomAhead.ts';

/** Starts the app in an element, for the present address. */
export type StartApp = (element: HTMLElement, onStanding: () => void) => Promise<void>;

/** Whether the app draws something else in its element than that it loads. */
const isDrawn = (element: HTMLElement) => element.querySelector(':scope > :not([aria-busy="true"])') !== null;

/**
 * Takes the element of the waiting room, how to fetch the app, and how to end the waiting room. The waiting room stays in
 * sight, with its connection, until the room is drawn. Loads the room's own document where the app cannot be fetched.
 */
export async function openRoomHere(
  waiting: HTMLElement,
  fetchApp: () => Promise<StartApp>,
  endWaiting: () => void,
): Promise<void> {
  const document = waiting.ownerDocument;
  const window = document.defaultView!;
  // The room takes the waiting room's place in the history.
  window.history.replaceState(null, '', ROOM_PATH);
  try {
    const startApp = await fetchApp();
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
    await startApp(room, () => undefined);
    endOnceDrawn();
  } catch {
    window.location.replace(ROOM_PATH);
  }
}
