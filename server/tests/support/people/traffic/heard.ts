/** What pages may receive, whatever fails: only their own room, revisions that never fall, each message once. */
import type { Change } from '@fieldroom/contract/realtime';
import type { Screen } from '../screen.ts';

/** Whose room it is: a word in all its names and texts that no other room has, its people and its figures. */
export interface RoomMarks {
  readonly word: string;
  readonly otherWords: readonly string[];
  readonly people: ReadonlySet<number>;
  readonly figures: ReadonlySet<number>;
}

/** A page, and the highest revision that anybody in the room had received before it was opened. */
export interface Page {
  readonly screen: Screen;
  readonly openedAt: number;
}

/** People and figures that a change is about, as far as it names them. */
function namedIn(change: Change): { people: number[]; figures: number[] } {
  switch (change.eventType) {
    case 'PLAYERS_VALUE':
      return { people: [], figures: change.contents.figures.map(({ id }) => id) };
    case 'PLAYER_CHANGE':
      return { people: change.contents.by === null ? [] : [change.contents.by], figures: [] };
    case 'PLAYER_DRAG':
      return {
        people: change.contents.drags.map(({ by }) => by),
        figures: change.contents.drags.map(({ figureId }) => figureId),
      };
    case 'UNREGISTER_USER':
      return { people: change.contents.people.map(({ id }) => id), figures: [] };
    case 'MESSAGE':
      return { people: [change.contents.from], figures: [] };
    case 'MESSAGES':
      return { people: change.contents.messages.map(({ from }) => from), figures: [] };
    case 'DISCONNECTED':
    case 'RECONNECTED':
      return { people: [change.contents.userId], figures: [] };
    default:
      return { people: [], figures: [] };
  }
}

/** Returns the messages about other rooms that a page has received. */
export function messagesOfOthers({ screen }: Page, { otherWords, people, figures }: RoomMarks): string[] {
  return screen.heard.flatMap(({ change }) => {
    const named = namedIn(change);
    const isOwn = named.people.every((id) => people.has(id)) && named.figures.every((id) => figures.has(id));
    const text = JSON.stringify(change);
    return isOwn && !otherWords.some((word) => text.includes(word)) ? [] : [`of another room: ${text.slice(0, 500)}`];
  });
}

/**
 * Returns the revisions that are lower than one that the page had before. A whole field or list of people never falls,
 * and begins at what had been sent before the page was opened; single changes of the field are in order in their room.
 * Where several nodes send to the room (`isInOrder` is false), its messages may arrive late: pages ignore an older
 * value and ask for what they lack.
 */
export function loweredRevisions({ screen, openedAt }: Page, room: string, isInOrder: boolean): string[] {
  const fallen: string[] = [];
  let [field, people] = [openedAt, 0];
  for (const { destination, change } of screen.heard) {
    if (change.eventType === 'UNREGISTER_USER') {
      const { usersUpdatedOn } = change;
      if ((isInOrder || destination !== room) && usersUpdatedOn < people)
        fallen.push(`the people of ${usersUpdatedOn} after ${people}`);
      people = Math.max(people, usersUpdatedOn);
    }
    if (change.eventType !== 'PLAYERS_VALUE' && change.eventType !== 'PLAYER_CHANGE') continue;
    const { eventType, participantsUpdatedOn } = change;
    const isOrdered =
      eventType === 'PLAYERS_VALUE' ? isInOrder || destination !== room : isInOrder && destination === room;
    if (isOrdered && participantsUpdatedOn < field) fallen.push(`${eventType} ${participantsUpdatedOn} after ${field}`);
    field = Math.max(field, participantsUpdatedOn);
  }
  return fallen;
}

/** The highest revision of the field that these pages have received. */
export const highestTold = (pages: readonly Page[]): number =>
  Math.max(
    0,
    ...pages.flatMap(({ screen }) => {
      const last = screen.heard.findLast(({ change }) => 'participantsUpdatedOn' in change)?.change;
      return last !== undefined && 'participantsUpdatedOn' in last ? [last.participantsUpdatedOn] : [];
    }),
  );

/** The chat messages that a page shows, as a browser does: all that it has received, by id. */
export function messagesOn(screen: Screen): { id: number; text: string }[] {
  const shown = new Map<number, string>();
  for (const { contents } of screen.of('MESSAGES')) for (const { id, text } of contents.messages) shown.set(id, text);
  for (const { contents } of screen.of('MESSAGE')) shown.set(contents.id, contents.text);
  return [...shown].map(([id, text]) => ({ id, text })).toSorted((a, b) => a.id - b.id);
}

/** Returns the messages that the room received more than once. A repeated one goes only to its sender. */
export function repeatedMessages(screen: Screen, roomDestination: string): number[] {
  const ids = screen.heard.flatMap(({ destination, change }) =>
    destination === roomDestination && change.eventType === 'MESSAGE' ? [change.contents.id] : [],
  );
  return ids.filter((id, n) => ids.indexOf(id) !== n);
}
