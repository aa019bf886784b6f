/** Mounts what is no call of the contract: health and metrics, pages for development, the list of calls, the web. */
import * as path from 'node:path';
import type { Http } from '../access.ts';
import { mountDevPage } from '../demo/dev-page.ts';
import type { Feature } from '../feature.ts';
import { mountWeb } from '../pages/pages.ts';
import type { Config } from '../platform/config.ts';
import { mountOpenApi } from '../platform/http/openapi.ts';
import { mountDevMail } from '../platform/mail/dev-mail.ts';
import { mountHealth } from '../platform/monitoring/health.ts';
import type { Platform } from '../platform/platform.ts';
import type { Stopping } from '../stopping.ts';

export interface MountedPagesParts {
  http: Http;
  config: Config;
  platform: Pick<Platform, 'blobs' | 'checks' | 'clock' | 'jobs' | 'metrics' | 'nodes' | 'outbox'>;
  features: readonly Feature[];
  stopping: Pick<Stopping, 'isLeaving'>;
  longRunning: boolean;
}

/** Mounts all of it, with what each node keeps and shares of the web's files. Resolves when the web was read. */
export async function mountPages({ http, config, platform, features, stopping, longRunning }: MountedPagesParts) {
  const { blobs, clock, jobs, metrics, nodes, outbox } = platform;
  /** Fails as soon as the proxy should send people elsewhere. */
  const staying = async () => {
    if (stopping.isLeaving()) throw new Error('this node is leaving');
  };
  const checks = { ...platform.checks, ...(nodes.isShared && { staying }) };
  mountHealth({ http, metrics, config, checks, isLeaving: stopping.isLeaving });
  mountDevMail(http, outbox, config);
  await mountDevPage(http, { clock, config });
  mountOpenApi(http, config.publicUrl);
  const kept = longRunning && nodes.isShared ? path.join(config.dataDir, 'web') : null;
  const shared = config.s3 === null ? null : blobs;
  const web = await mountWeb(http, config, { kept, shared });
  if (kept !== null) jobs.every(web.keepEverySeconds, 'pages.keep', web.keepAssets);
  for (const feature of features) feature.pages?.(http, web);
}
