/** What this browser keeps about sound and picture; where it keeps nothing, for as long as the page is open. `myVideoActive` as in specification 3. */
import type { MediaChoice } from '../../platform/media/media.types.ts';
import { storage } from '../../platform/storage.ts';
import type { Memory, VideoView } from './video.store.ts';

const VIEW_KEY = 'room_view';
const CHOICE_KEY = 'room_devices';

function read<T>(key: string, right: (value: Record<string, unknown>) => boolean): T | null {
  try {
    const value = JSON.parse(localStorage.getItem(key) ?? 'null') as unknown;
    return typeof value === 'object' && value !== null && right(value as Record<string, unknown>) ? (value as T) : null;
  } catch {
    return null;
  }
}
function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    /* A browser that keeps nothing. */
  }
}

export function browserMemory(): Memory {
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
    active: () => storage.getText('myVideoActive') === '1',
    setActive: (on) => storage.setText('myVideoActive', on ? '1' : '0'),
  };
}
