/** The memory of a room whose live session another node has ended: README rule 1. */
import { expect, test, vi } from 'vitest';
import { createLoneNode } from '../../../platform/nodes/nodes.ts';
import { AWAY_MS, createActivity } from '../activity/usage.activity.ts';
import { createTabs } from './usage.tabs.ts';
import { followLiveSessions } from './usage.live-sessions.ts';

const [ROOM, OTHER] = [7, 8];

test('1 a live session that ended on another node is forgotten here, and no other one', () => {
  const activity = createActivity(createLoneNode());
  const tabs = createTabs();
  for (const room of [ROOM, OTHER]) {
    activity.stirred(room, 1_000);
    activity.acted(room, 2_000);
    activity.setAway(room, 3_000);
    tabs.use(room, 'a tab');
  }
  const reactions = { forget: vi.fn<() => void>() };
  const listeners = new Map<string, (therapistId: number) => void>();
  followLiveSessions({
    activity,
    reactions,
    tabs,
    sessions: { onOpening() {}, onEnding() {}, onFirstAttended() {} },
    roomNodes: { on: (what: string, listener: (therapistId: number) => void) => listeners.set(what, listener) },
  } as never);

  listeners.get('ended')!(ROOM);
  const known = (room: number) => [
    activity.quietSince(room),
    activity.lastAct(room),
    activity.awayEnd(room),
    tabs.write(room).length,
  ];
  expect(known(ROOM)).toEqual([-Infinity, -Infinity, Infinity, 0]);
  expect(known(OTHER)).toEqual([1_000, 2_000, 3_000 + AWAY_MS, 1]);
  expect(reactions.forget.mock.calls).toEqual([[ROOM]]);
});
