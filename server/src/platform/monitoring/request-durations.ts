/**
 * How long calls take, as a histogram in Prometheus text. Our own, because each call is counted: prom-client builds the
 * name of the labels again for every value, which took 4 % of the server's time at a sold-out event
 * (`npm run -w bench bookings`).
 */

const NAME = 'http_request_duration_seconds';
/** Upper bounds in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface Series {
  readonly labels: string;
  /** How many were at most as long as each bound and longer than the one before; the last is for all longer ones. */
  readonly counts: number[];
  sum: number;
}

export interface RequestDurations {
  /** Counts one call: method, route pattern, status, seconds. */
  observe(method: string, route: string, status: number, seconds: number): void;
  /** All series, as prom-client writes a histogram. */
  text(): string;
}

const escaped = (value: string) => value.replace(/[\\\n"]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));

/** Makes the histogram. There are as many series as there are routes and kinds of answers. */
export function createRequestDurations(): RequestDurations {
  const all = new Map<string, Series>();
  return {
    observe(method, route, status, seconds) {
      const key = `${status} ${method} ${route}`;
      let series = all.get(key);
      if (series === undefined) {
        const labels = `method="${escaped(method)}",route="${escaped(route)}",status="${status}"`;
        series = { labels, counts: Array<number>(BOUNDS.length + 1).fill(0), sum: 0 };
        all.set(key, series);
      }
      let at = 0;
      while (at < BOUNDS.length && seconds > BOUNDS[at]!) at += 1;
      series.counts[at]! += 1;
      series.sum += seconds;
    },

    text() {
      const lines = [`# HELP ${NAME} Duration of HTTP calls`, `# TYPE ${NAME} histogram`];
      for (const { labels, counts, sum } of all.values()) {
        let count = 0;
        for (const [at, bound] of [...BOUNDS, '+Inf'].entries()) {
          count += counts[at]!;
          lines.push(`${NAME}_bucket{le="${bound}",${labels}} ${count}`);
        }
        lines.push(`${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${count}`);
      }
      return `${lines.join('\n')}\n`;
    },
  };
}
