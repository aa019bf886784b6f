/** Settings for trying the product out, which production refuses: demo practice, development page, a faster clock. */
import { z } from 'zod';
import type { ServiceConfig, ServiceRead } from './service.settings.ts';
import { isLoopback, type Read } from './values.ts';

export interface DemoConfig {
  readonly demo: boolean;
  /** Under `npm run dev`, which alone sets FIELDROOM_DEV: shows `/dev`. */
  readonly dev: boolean;
  readonly clockSpeed: number;
}

export const demoSettings = {
  DEMO: z.enum(['0', '1'], 'has to be 0 or 1').optional(),
  FIELDROOM_DEV: z.enum(['0', '1'], 'is set by npm run dev alone').optional(),
  CLOCK_SPEED: z
    .string()
    .transform((text, context) => {
      const speed = Number(text);
      if (text.trim() !== '' && speed > 0 && speed <= 100_000) return speed;
      context.addIssue({ code: 'custom', message: 'has to be a number above 0, at most 100000' });
      return z.NEVER;
    })
    .optional(),
};

type DemoRead = Read<typeof demoSettings>;

/** Returns a line for each of these settings that production refuses. */
export function demoFaults(read: DemoRead, production: boolean): string[] {
  const faults: string[] = [];
  if (production && read.DEMO === '1')
    faults.push('DEMO: the demo practice has known passwords and cannot be shown with NODE_ENV=production');
  if (production && read.CLOCK_SPEED !== undefined && read.CLOCK_SPEED !== 1)
    faults.push('CLOCK_SPEED: the clock cannot be changed with NODE_ENV=production');
  if (production && read.FIELDROOM_DEV === '1')
    faults.push('FIELDROOM_DEV: signs in anybody without asking and is for npm run dev alone');
  return faults;
}

/** Returns these settings with their defaults: the demo is shown where nobody else can reach it. */
export function demoConfig(
  read: DemoRead & Pick<ServiceRead, 'NODE_ENV'>,
  { production, host, publicUrl }: ServiceConfig,
  databaseUrl: string | null,
): DemoConfig {
  const isSafe = databaseUrl === null && !production && isLoopback(host) && isLoopback(new URL(publicUrl).hostname);
  const demo = read.DEMO === undefined ? isSafe : read.DEMO === '1';
  return {
    demo,
    dev: demo && read.FIELDROOM_DEV === '1' && read.NODE_ENV === 'development',
    clockSpeed: read.CLOCK_SPEED ?? 1,
  };
}
