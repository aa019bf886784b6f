/**
 * How days, times, prices and zones of events are said and reckoned: what the public pages take too. Free of schemas
 * and of the UI kit.
 */
export { browserZone, formatDay, formatDays, formatPrice, formatWeekdays, zoneCity } from './formatting.ts';
export { dayAt, instantOf } from './dates/wallClock.ts';
