/** What is read from an open connection, and how often. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRoomMonitor, type RoomMonitorParts } from './roomMonitor.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('10.8 the received bit rate is read once a second while the connection is open', async () => {
  const counted = vi.fn();
  const pc = () => ({ getStats: async () => new Map() });
  const open = {
    connection: { publisher: { pc }, subscriber: { pc, want: () => undefined }, publishers: () => [] },
    remote: { counted, loss: () => null, lacksKey: () => false, people: () => [] },
  };
  const parts = {
    host: { me: 1, therapistId: 1, sendNetworkQuality: () => true, onRoomOpen: () => () => undefined },
    current: () => open,
    settings: () => ({ clientsVisible: true }),
    state: () => ({ own: { video: null }, quality: 'good', people: [], lowData: false }),
    set: () => undefined,
    encryption: { present: () => undefined, lacking: () => undefined },
  };
  const monitor = createRoomMonitor(parts as unknown as RoomMonitorParts);
  monitor.start();
  await vi.advanceTimersByTimeAsync(999);
  expect(counted).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(counted).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(2000);
  expect(counted).toHaveBeenCalledTimes(3);
  monitor.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(counted).toHaveBeenCalledTimes(3);
});

/** A browser whose network is poor. `room`: whether it is connected to the room, and the listeners for its return. */
function poorNetwork() {
  const told: string[] = [];
  const room = { connected: false, listeners: new Set<() => void>() };
  const state = { own: { video: null }, quality: 'good', people: [], lowData: false };
  const poor = new Map([['out', { type: 'remote-inbound-rtp', fractionLost: 0.3 }]]);
  const pc = () => ({ getStats: async () => poor });
  const open = {
    connection: { publisher: { pc }, subscriber: { pc, want: () => undefined }, publishers: () => [] },
    remote: { counted: () => undefined, loss: () => null, lacksKey: () => false, people: () => [] },
  };
  const parts = {
    host: {
      me: 1,
      therapistId: 1,
      sendNetworkQuality(quality: string) {
        if (room.connected) told.push(quality);
        return room.connected;
      },
      onRoomOpen(listener: () => void) {
        room.listeners.add(listener);
        return () => room.listeners.delete(listener);
      },
    },
    current: () => open,
    settings: () => ({ clientsVisible: true }),
    state: () => state,
    set: (patch: object) => Object.assign(state, patch),
    encryption: { present: () => undefined, lacking: () => undefined },
  };
  const monitor = createRoomMonitor(parts as unknown as RoomMonitorParts);
  return { monitor, told, room, state };
}

test('10.10 a quality that could not be sent to the room is sent once it can be', async () => {
  const { monitor, told, room, state } = poorNetwork();
  monitor.start();
  await vi.advanceTimersByTimeAsync(5000);
  expect([state.quality, told]).toEqual(['poor', []]);
  room.connected = true;
  await vi.advanceTimersByTimeAsync(5000);
  expect(told).toEqual(['poor']);
  monitor.stop();
});

test('10.10 the quality is sent again over a new connection to the room, because a dead one lost it', async () => {
  const { monitor, told, room } = poorNetwork();
  room.connected = true;
  monitor.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(told).toEqual(['poor']);
  for (const listener of room.listeners) listener();
  await vi.advanceTimersByTimeAsync(5000);
  expect(told).toEqual(['poor', 'poor']);
  monitor.stop();
  expect(room.listeners.size).toBe(0);
});
