/** The background of a room's figures, by its messages (contract/src/design.ts). */
import type {} from '@fieldroom/contract/design';
import { ApiProblem } from '../../../platform/api/request.ts';
import { createEmitter } from '../../../platform/emitter.ts';
import type { Connection } from '../../../platform/realtime/index.ts';
import { retryUntilDone } from '../../../ui/lazy/retryUntilDone.ts';
import type { FieldGround } from '../../field/index.ts';

export interface GroundStore {
  /** null until the room has sent it. */
  get(): FieldGround | null;
  /** The same for pictures of the field: null also while the background's picture is loading, which they would lack. */
  whole(): FieldGround | null;
  subscribe(listener: () => void): () => void;
  close(): void;
}

/**
 * Makes the store. Takes the connection, and how a picture is fetched and decoded. The previous background stays until
 * the next picture is decoded; a picture that can't be fetched is omitted and fetched again (docs/product.md#11.36).
 */
export function createGroundStore(
  connection: Pick<Connection, 'on'>,
  picture: (imageId: string) => Promise<string>,
): GroundStore {
  const changed = createEmitter();
  let shown: FieldGround | null = null;
  let whole: FieldGround | null = null;
  /** A picture that arrives after the next message is dropped. */
  let stopAsking = () => {};
  const show = (next: FieldGround, isWhole: boolean) => {
    shown = next;
    whole = isWhole ? next : null;
    changed.emit();
  };
  const stop = connection.on('GROUND', ({ contents }) => {
    stopAsking();
    const { color, imageId } = contents;
    show({ color, url: imageId && (shown?.url ?? null) }, imageId === null);
    if (imageId === null) return;
    const arrived = (url: string | null) => show({ color, url }, true);
    stopAsking = retryUntilDone(
      () => picture(imageId).catch(nullWhereGone),
      arrived,
      () => arrived(null),
    );
  });
  return {
    get: () => shown,
    whole: () => whole,
    subscribe: changed.on,
    close() {
      stop();
      stopAsking();
    },
  };
}

/** Returns null if another request would change nothing: the picture is gone or unreadable. Throws any other fault. */
function nullWhereGone(fault: unknown): null {
  if (fault instanceof DOMException || (fault instanceof ApiProblem && fault.code === 'not_found')) return null;
  throw fault;
}
