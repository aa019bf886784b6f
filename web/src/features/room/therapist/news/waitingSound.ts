/** Whether a sound is played when somebody joins the waiting list; stored in this browser. */
import { deviceStore } from '../../../../platform/storage.ts';

/** A key of earlier versions, kept so that nobody has to choose again. */
const KEY = 'door_sound';

/** Whether the sound is on; it is until somebody turns it off. */
export const isWaitingSoundOn = (): boolean => deviceStore.get(KEY) !== '0';

/** If the browser stores nothing, the choice lasts until the page is reloaded. */
export const keepWaitingSound = (on: boolean): void => void deviceStore.set(KEY, on ? '1' : '0');
