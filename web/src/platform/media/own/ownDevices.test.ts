/** One's own devices: what was not wanted any more when the browser lent it is let go at once. */
import { afterEach, expect, test, vi } from 'vitest';
import { createOwnDevices } from './ownDevices.ts';

afterEach(() => vi.unstubAllGlobals());

class Track extends EventTarget {
  enabled = true;
  stopped = false;
  stop() {
    this.stopped = true;
  }
}

test.each(['microphone', 'camera'] as const)(
  'a %s that is not wanted any more is stopped, and never shown',
  async (kind) => {
    const track = new Track();
    let allow: () => void = () => undefined;
    const allowed = new Promise<void>((resolve) => (allow = resolve));
    vi.stubGlobal('navigator', {
      mediaDevices: { getUserMedia: () => allowed.then(() => ({ getTracks: () => [track] })) },
    });
    const changed = vi.fn();
    const own = createOwnDevices(changed, () => undefined);
    let wanted = true;
    const opening = own.open(kind, undefined, 'modest', () => wanted);
    wanted = false;
    allow();
    expect(await opening).toBeNull();
    expect(track.stopped).toBe(true);
    expect(own.tracks()).toEqual({ audio: null, video: null });
    expect(changed).not.toHaveBeenCalled();
  },
);
