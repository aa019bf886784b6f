/** A room whose people are on two nodes, and what their pages show. */
import { randomUUID } from 'node:crypto';
import { applyChange, FIELD_SEND, type FieldCopy, type Figure } from '@fieldroom/contract/field';
import { aTherapist, type BuiltAccount } from '../../../src/builders/accounts.builders.ts';
import { type BuiltClient, inRoom } from '../../../src/builders/clients.builders.ts';
import { aFigure } from '../../../src/builders/field.builders.ts';
import type { TestNode } from '../nodes.ts';
import { openClientScreen, openTherapistScreen, type Screen } from './screen.ts';

interface NodeRoom {
  therapist: BuiltAccount;
  client: BuiltClient;
  figure: Figure;
  /** The therapist's page, on the first node. */
  screen: Screen;
  /** The client's page, on the second. */
  page: Screen;
}

/** Opens it: a therapist on one node, a client on the other, and a figure at 100, 100. */
export async function aNodeRoom(one: TestNode, two: TestNode): Promise<NodeRoom> {
  const therapist = await aTherapist(one.app.db);
  const figure = await aFigure(one.app.db, { therapistId: therapist.id, x: 100, y: 100 });
  const screen = await openTherapistScreen(one.url, therapist);
  const client = await inRoom(one.app, therapist);
  const page = await openClientScreen(two.url, client);
  await screen.next('UNREGISTER_USER', ({ contents }) => contents.people.some((person) => person.connected));
  return { therapist, client, figure, screen, page };
}

/** Sends an act, and returns its id when the server has handled it. */
export const act = (screen: Screen, what: object, actId = randomUUID()) =>
  screen.send(FIELD_SEND.act, { actId, act: what }).then(() => actId);

/** Waits until a page has heard of an act. */
export const change = (screen: Screen, actId: string) =>
  screen.next('PLAYER_CHANGE', ({ contents }) => contents.actId === actId);

/** What a browser shows after all it heard; behind a gap it waits for the snapshot that it asks for. */
export function fieldOn(screen: Screen): FieldCopy | null {
  let copy: FieldCopy | null = null;
  for (const { change: heard } of screen.heard) {
    if (heard.eventType === 'PLAYERS_VALUE' && heard.participantsUpdatedOn >= (copy?.revision ?? -1))
      copy = { ...heard.contents, revision: heard.participantsUpdatedOn };
    if (heard.eventType !== 'PLAYER_CHANGE' || copy === null) continue;
    const applied = applyChange(copy, heard.contents);
    if (applied.kind === 'applied') copy = applied.field;
  }
  return copy;
}
