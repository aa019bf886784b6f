/** Settings of what operators see: logs of the server and of browsers, and who may read /metrics. */
import { LOG_LEVELS as BROWSER_LOG_LEVELS, type LogLevel as BrowserLogLevel } from '@fieldroom/contract/logs';
import { z } from 'zod';
import { sharedSecret, type Read } from './values.ts';

export interface MonitoringConfig {
  readonly logLevel: LogLevel;
  /** From which level on entries of browsers are kept. */
  readonly browserLogLevel: BrowserLogLevel;
  /** The bearer token that allows reading /metrics from elsewhere. */
  readonly metricsToken: string | null;
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];

export const monitoringSettings = {
  LOG_LEVEL: z.enum(LOG_LEVELS, `has to be one of ${LOG_LEVELS.join(', ')}`).optional(),
  BROWSER_LOG_LEVEL: z.enum(BROWSER_LOG_LEVELS, `has to be one of ${BROWSER_LOG_LEVELS.join(', ')}`).optional(),
  METRICS_TOKEN: sharedSecret.optional(),
};

/** Returns these settings with their defaults. */
export function monitoringConfig(read: Read<typeof monitoringSettings>): MonitoringConfig {
  return {
    logLevel: read.LOG_LEVEL ?? 'info',
    browserLogLevel: read.BROWSER_LOG_LEVEL ?? 'Info',
    metricsToken: read.METRICS_TOKEN ?? null,
  };
}
