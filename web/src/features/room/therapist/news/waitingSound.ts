/** Whether a sound is played when somebody comes to the waiting list; kept in this browser. */
import { deviceStore } from '../../../../platform/storage.ts';

/** An older word, kept so that nobody has to choose again. */
const KEY = 'door_sound';

/** Whether the sound is on, as it is until somebody turns it off. */
export const isWaitingSoundOn = (): boolean => deviceStore.get(KEY) !== '0';

/** Where the browser keeps nothing, the choice holds until the page is loaded again. */
export const keepWaitingSound = (on: boolean): void => void deviceStore.set(KEY, on ? '1' : '0');
