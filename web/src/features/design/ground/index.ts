/** The background behind the figures, for the room. The picture's code is loaded with the first picture. */
import type { Connection } from '../../../platform/realtime/index.ts';
import { createGroundStore } from './groundStore.ts';

export type { GroundStore } from './groundStore.ts';

/** Listens to the background. Takes the room's connection and whose room it is. */
export const createGround = (connection: Pick<Connection, 'on'>, therapistId: number) =>
  createGroundStore(connection, async (imageId) =>
    (await import('./groundPicture.ts')).groundPicture(therapistId, imageId),
  );
