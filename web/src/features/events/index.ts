/**
 * How days, times, prices and zones of events are formatted and calculated, also for the public pages. Free of schemas
 * and of the UI kit.
 */
export { formatDay, formatDays, formatPrice, formatWeekdays } from './formatting.ts';
export { dayAt, instantOf } from './dates/wallClock.ts';
export { zoneCity } from './dates/zoneCity.ts';
