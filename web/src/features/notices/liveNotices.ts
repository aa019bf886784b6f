/** The connection by which pages outside the room receive notices. Fetched after the page is drawn. */
import { getCurrentUserData } from '@fieldroom/contract/accounts';
import type { NoticesState } from '@fieldroom/contract/notices';
import { api } from '../../platform/api/index.ts';
import { createConnection } from '../../platform/realtime/index.ts';
import { storage } from '../../platform/storage.ts';

/**
 * Listens to the signed-in therapist's own destination, without joining the room: it neither starts a live session nor
 * keeps one running. Returns a function that stops listening.
 */
export function listenToNotices(heard: {
  onState(state: NoticesState): void;
  /** A live session started or ended, or somebody entered or left the room or its waiting room. */
  onRoom(): void;
  /** The connection is open (again): messages in between were missed. */
  onOpen(): void;
  onLost(): void;
}): () => void {
  const personId = storage.get('user')?.id;
  if (personId === undefined) return () => undefined;
  const connection = createConnection({
    token: () => storage.getText('token'),
    personId,
    therapistId: personId,
    kind: 'THERAPIST',
    inRoom: false,
  });
  connection.on('NOTICES', ({ contents }) => heard.onState(contents));
  connection.on('UNREGISTER_USER', heard.onRoom);
  connection.on('REFRESH_ADMIN', ({ contents }) => {
    if (contents.what === 'room') heard.onRoom();
  });
  connection.onState((state) => {
    if (state === 'lost') heard.onLost();
  });
  // Signed out on another device: the answer to any call leads to the sign-in (docs/product.md#3.26).
  connection.onRefused(() => void api.call(getCurrentUserData).catch(() => undefined));
  connection.whenOpen(heard.onOpen);
  return connection.close;
}
