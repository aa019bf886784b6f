/** Returns hours and minutes, such as `43:05`; hours have no limit. Takes seconds; an unfinished minute does not
 * count. */
export function hoursAndMinutes(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
