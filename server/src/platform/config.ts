/**
 * The settings: read once from the environment, validated as a whole, and passed on as one value. Nothing else in the
 * server reads the environment. Names and defaults: README.md, "Settings"; limits: docs/product.md#14.
 *
 * The files of config/ each have the settings of one area: how they are named and checked, what one needs of another,
 * their defaults, and what the server gets.
 */
import { z } from 'zod';
import { billingConfig, billingSettings, type BillingConfig } from './config/billing.settings.ts';
import { demoConfig, demoFaults, demoSettings, type DemoConfig } from './config/demo.settings.ts';
import { limitsConfig, limitSettings, unknownLimits, type LimitsConfig } from './config/limits.settings.ts';
import { mailConfig, mailFaults, mailSettings, type MailConfig } from './config/mail.settings.ts';
import { monitoringConfig, monitoringSettings, type MonitoringConfig } from './config/monitoring.settings.ts';
import { serviceConfig, serviceFaults, serviceSettings, type ServiceConfig } from './config/service.settings.ts';
import { storageConfig, storageFaults, storageSettings, type StorageConfig } from './config/storage.settings.ts';
import { videoConfig, videoFaults, videoSettings, type VideoConfig } from './config/video.settings.ts';

export type { BillingConfig } from './config/billing.settings.ts';
export type { Limit } from './config/limits.settings.ts';
export { DATABASE_TIMEOUT_MS, type S3Config } from './config/storage.settings.ts';
export { isLoopback } from './config/values.ts';

export interface Config extends ServiceConfig, DemoConfig, StorageConfig, MailConfig, VideoConfig, MonitoringConfig {
  readonly billing: BillingConfig;
  readonly limits: LimitsConfig;
}

const settings = z.object({
  ...serviceSettings,
  ...demoSettings,
  ...storageSettings,
  ...mailSettings,
  ...videoSettings,
  ...billingSettings,
  ...monitoringSettings,
  ...limitSettings,
});

/** Settings that are impossible: one line for each fault, written for the operator. */
export class ConfigFault extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(`The settings cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigFault';
    this.lines = lines;
  }
}

/**
 * Reads the settings. Takes the environment of the process, or another (empty values count as not set). Returns the
 * settings with all defaults.
 * @throws ConfigFault with a line for every fault there is.
 */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const unknown = unknownLimits(Object.keys(given));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new ConfigFault([...new Set([...unknown, ...wrong])]);
  }
  const read = parsed.data;
  const service = serviceConfig(read);
  const faults = [
    ...unknown,
    ...serviceFaults(service),
    ...demoFaults(read, service.production),
    ...storageFaults(read),
    ...videoFaults(read),
    ...mailFaults(read),
  ];
  if (faults.length > 0) throw new ConfigFault(faults);

  const storage = storageConfig(read);
  return {
    ...service,
    ...demoConfig(read, service, storage.databaseUrl),
    ...storage,
    ...mailConfig(read, service.publicUrl),
    ...videoConfig(read),
    billing: billingConfig(read, service.production),
    ...monitoringConfig(read),
    limits: limitsConfig(read),
  };
}
