/** Which names of time zones are valid. */

/**
 * Names that `Intl` accepts but the IANA database lacks, such as ICU's `PST` and `ECT`: Temporal and PostgreSQL refuse
 * them, or read them as a fixed offset. The names of three letters that IANA has are left out.
 */
const NOT_IANA =
  /^(?:SystemV\/.*|US\/Pacific-New|Canada\/East-Saskatchewan|(?!(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$)[A-Z]{3})$/i;

/** Whether a text names an IANA zone that this machine knows. Offsets such as `+02:00` know no daylight saving. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return /^[A-Za-z]/.test(zone) && !NOT_IANA.test(zone);
  } catch {
    return false;
  }
}
