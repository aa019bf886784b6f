/**
 * How days, times, prices and zones of events are said and reckoned: what the public pages take too. Free of schemas
 * and of the UI kit.
 */
export { formatDay, formatDays, formatPrice, formatWeekdays } from './formatting.ts';
export { dayAt, instantOf } from './dates/wallClock.ts';
export { zoneCity } from './dates/zoneCity.ts';
