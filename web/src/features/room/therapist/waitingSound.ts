/** Whether a sound is played when somebody comes to the waiting list; kept in this browser. */
/** An older word, kept so that nobody has to choose again. */
const KEY = 'door_sound';

export function isWaitingSoundOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== '0';
  } catch {
    return true;
  }
}

export function keepWaitingSound(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? '1' : '0');
  } catch {
    /* A browser that stores nothing: the switch holds until the page is loaded again. */
  }
}
