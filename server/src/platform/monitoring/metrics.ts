/** Numbers for the operator: Prometheus text, no labels that name a person (routes appear as patterns). */
import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import { createRequestDurations } from './request-durations.ts';

export interface Metrics {
  readonly registry: Registry;
  /** One HTTP call: method, route pattern, status, seconds. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** A number that is read each time the metrics are. If that fails it is NaN, and the others are still there. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  text(): Promise<string>;
  readonly contentType: string;
}

/** Makes the numbers of one server. `process` numbers (memory, event loop) are included unless told not to. */
export function createMetrics({ processNumbers = true }: { processNumbers?: boolean } = {}): Metrics {
  const registry = new Registry();
  // Looks at the loop ten times a second instead of a hundred: looking costs an idle server a hundredth of a core.
  if (processNumbers) collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  const requests = createRequestDurations();
  return {
    registry,
    observeRequest: requests.observe,
    gauge(name, help, read) {
      void new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          try {
            this.set(await read());
          } catch {
            this.set(NaN);
          }
        },
      });
    },
    text: async () => `${await registry.metrics()}\n${requests.text()}`,
    contentType: registry.contentType,
  };
}
