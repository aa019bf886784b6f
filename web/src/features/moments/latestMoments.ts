/** Receives the moments from the start, so that the code that shows them can be loaded later. */
import type { MomentsValue } from '@fieldroom/contract/moments';
import type { Connection } from '../../platform/realtime/index.ts';

export interface LatestMoments {
  readonly connection: Pick<Connection, 'on' | 'onState' | 'send' | 'state'>;
  /** The server's last message; null before. */
  last(): MomentsValue | null;
  close(): void;
}

/** Takes the room's connection. */
export function createLatestMoments(connection: LatestMoments['connection']): LatestMoments {
  let last: MomentsValue | null = null;
  const close = connection.on('MOMENTS', ({ contents }) => void (last = contents));
  return { connection, last: () => last, close };
}
