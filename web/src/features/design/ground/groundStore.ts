/** What lies behind the figures in a room, as its messages tell it (contract/src/design.ts). */
import type { Ground } from '@fieldroom/contract/design';
import { createEmitter } from '../../../platform/emitter.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import type { FieldGround } from '../../field/index.ts';

export interface GroundStore {
  /** null until the room has told it. */
  get(): FieldGround | null;
  /** The same for pictures of the field: null also while the ground's picture is on its way, which they would lack. */
  whole(): FieldGround | null;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/**
 * Makes the store. Takes the connection, and how a picture is fetched and decoded. What was shown stays until the next
 * picture is decoded; one that can't be fetched is left out.
 */
export function createGroundStore(
  connection: Pick<Connection, 'on'>,
  picture: (imageId: string) => Promise<string>,
): GroundStore {
  const changed = createEmitter();
  let shown: FieldGround | null = null;
  let whole: FieldGround | null = null;
  /** The latest message: a picture that comes after the next message is of no use. */
  let latest: Ground | null = null;
  const show = (next: FieldGround, isWhole: boolean) => {
    shown = next;
    whole = isWhole ? next : null;
    changed.emit();
  };
  const stop = connection.on('GROUND', ({ contents }) => {
    latest = contents;
    const { color, imageId } = contents;
    show({ color, url: imageId && (shown?.url ?? null) }, imageId === null);
    if (imageId === null) return;
    const arrived = (url: string | null) => {
      if (latest === contents) show({ color, url }, true);
    };
    picture(imageId).then(arrived, () => arrived(null));
  });
  return {
    get: () => shown,
    whole: () => whole,
    subscribe: changed.on,
    close: stop,
  };
}
