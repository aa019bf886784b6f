/**
 * What this browser remembers about video; where it stores nothing, for as long as the page is open. `myVideoActive` is
 * a fixed key (docs/product.md#3.10).
 */
import type { MediaChoice } from '../../../platform/media/mediaTypes.ts';
import { deviceStore, storage } from '../../../platform/storage.ts';
import type { VideoPreferences, VideoView } from './videoStore.ts';

const VIEW_KEY = 'room_view';
const CHOICE_KEY = 'room_devices';
/** When taking part was last stored (ms since 1970). */
const SEEN_KEY = 'room_video_seen';
/** After this long nobody is offered to rejoin: without the therapist the live session is over by then. */
const RETURN_MS = 10 * 60_000;

function read<T>(key: string, right: (value: Record<string, unknown>) => boolean): T | null {
  try {
    const value = JSON.parse(deviceStore.get(key) ?? 'null') as unknown;
    return typeof value === 'object' && value !== null && right(value as Record<string, unknown>) ? (value as T) : null;
  } catch {
    return null;
  }
}
const write = (key: string, value: unknown): void => void deviceStore.set(key, JSON.stringify(value));

/**
 * Reads what this browser stored; an unreadable value counts as nothing. `active` is true if the person took part at
 * most 10 minutes ago, so that one tap brings them back after a reload (docs/product.md#10.3).
 */
export function browserPreferences(): VideoPreferences {
  let view = read<Partial<VideoView>>(VIEW_KEY, () => true) ?? {};
  let choice = read<MediaChoice>(
    CHOICE_KEY,
    (value) => typeof value.audio === 'boolean' && typeof value.video === 'boolean',
  );
  return {
    view: () => view,
    setView(next) {
      view = next;
      write(VIEW_KEY, next);
    },
    choice: () => choice,
    setChoice(next) {
      choice = next;
      write(CHOICE_KEY, next);
    },
    active() {
      const seen = read<{ at: number }>(SEEN_KEY, (value) => typeof value.at === 'number');
      return storage.getText('myVideoActive') === '1' && seen !== null && Date.now() - seen.at < RETURN_MS;
    },
    setActive(on) {
      storage.setText('myVideoActive', on ? '1' : '0');
      write(SEEN_KEY, { at: Date.now() });
    },
  };
}
