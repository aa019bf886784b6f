/** Whether a sound is played when somebody comes to the waiting list; kept in this browser. */
const KEY = 'door_sound';

export function isDoorSoundOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== '0';
  } catch {
    return true;
  }
}

export function keepDoorSound(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? '1' : '0');
  } catch {
    /* A browser that stores nothing: the switch holds until the page is loaded again. */
  }
}
