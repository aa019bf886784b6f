/** The wiring: the platform, then each feature made by hand, in order. */
import { eq } from 'drizzle-orm';
import { Problem } from '@fieldroom/contract/problems';
import type { AccessValues, Principal } from './access.ts';
import { fillDemo } from './demo.ts';
import { mountDevPage } from './dev-page.ts';
import { accounts as accountsTable } from './features/accounts/accounts.tables.ts';
import { createAccounts, hashToken, secretBytes, type Accounts } from './features/accounts/index.ts';
import { createBookingCalendar, createBookingMail, createBookings, type Bookings } from './features/bookings/index.ts';
import { clientsGates, clientsRoutes, createClients, type Clients } from './features/clients/index.ts';
import { createEvents, type Events } from './features/events/index.ts';
import { createField, type Field } from './features/field/index.ts';
import { createRoom, type Room } from './features/room/index.ts';
import { createSessions, sessionsRoutes, type Sessions } from './features/sessions/index.ts';
import { createSupport } from './features/support/index.ts';
import {
  createEmbeddedEngine,
  createJanusEngine,
  createVideo,
  videoRoutes,
  type Video,
  type VideoEngine,
} from './features/video/index.ts';
import { createRealtime, type Realtime } from './realtime.ts';
import { type Config, isLoopback } from './platform/config.ts';
import { mountHealth } from './platform/health.ts';
import { isOwnOrigin } from './platform/http/headers.ts';
import { createHttp, type Gates, type Http } from './platform/http/http.ts';
import { mountOpenApi } from './platform/http/openapi.ts';
import { mountWeb } from './platform/http/static.ts';
import type { Log } from './platform/log.ts';
import { mountDevMail } from './platform/mail/dev-mail.ts';
import { createPlatform, type Platform } from './platform/platform.ts';

export interface App extends Platform {
  readonly http: Http;
  readonly accounts: Accounts;
  readonly realtime: Realtime;
  readonly room: Room;
  readonly sessions: Sessions;
  readonly clients: Clients;
  readonly field: Field;
  readonly events: Events;
  readonly bookings: Bookings;
  readonly video: Video;
  /** Starts jobs and opens the port. Out: the address it listens at. */
  listen(): Promise<string>;
}

export interface AppOptions {
  readonly log?: Log;
  readonly onCrash?: (error: Error) => void;
  /** Less work for the captcha of tests. */
  readonly captchaEffort?: Parameters<typeof createAccounts>[0]['captchaEffort'];
  /** False leaves out what only a long-running server needs. */
  readonly longRunning?: boolean;
  /** Bounds of the real-time channel and of the video line, where a test wants others. */
  readonly stompLimits?: Parameters<typeof createRealtime>[0]['limits'];
  readonly videoLimits?: Parameters<typeof createVideo>[0]['limits'];
  /** What carries sound and picture, where it is not made by the settings. */
  readonly videoEngine?: VideoEngine;
}

/** Of the video engine, for /metrics. */
const VIDEO_NUMBERS = [
  ['video_connections', 'Sockets on the video line', 'connections'],
  ['video_rooms', 'Rooms with sound and picture', 'rooms'],
  ['video_publishers', 'People who send', 'publishers'],
  ['video_packets_out', 'Packets forwarded since the start', 'packetsOut'],
  ['video_retransmitted', 'Packets sent once more since the start', 'retransmitted'],
] as const;

/** What carries sound and picture: Janus servers where they are set, else this program itself. */
function engineOf(config: Config, log: Log): VideoEngine {
  if (config.janus.urls.length > 0) return createJanusEngine({ ...config.janus, log });
  const { ports, addresses, workers } = config.video;
  // Whoever tries it out on one machine is reached there, whatever networks it has.
  return createEmbeddedEngine({
    portRange: [ports.first, ports.last],
    publicAddresses: addresses,
    loopback: isLoopback(config.host),
    log,
    ...(workers === null ? {} : { workers }),
  });
}

/** Makes the whole server; nothing listens yet. In: the settings. Out: its parts, and how to start and stop it. */
export async function createApp(
  config: Config,
  { log, onCrash, captchaEffort, longRunning = true, stompLimits, videoLimits, videoEngine }: AppOptions = {},
): Promise<App> {
  const platform = await createPlatform(config, {
    log,
    onCrash,
    longRunning,
    limitSecret: (db) => secretBytes(db, 'limits'),
  });
  try {
    const { db, bus, log: appLog, jobs, limits, clock, files } = platform;
    // Whether a page may connect is asked at the upgrade, where also the host it came by is known.
    // The field's lane has gathered a room's positions for a tick already; gathering again would only add to the way from hand to eye.
    const realtime = createRealtime({ bus, log: appLog, limits: stompLimits, allowedOrigin: () => true, flushMs: 0 });

    const accounts = createAccounts({
      ...platform,
      captchaEffort,
      async onSignOut(principal) {
        if (principal.kind === 'client') return clients.leave(principal.id);
        await sessions.end(principal.id, 'signed_out');
        realtime.connections.closeSignIn(principal.tokenHash);
      },
      onSignInsEnded(accountId) {
        realtime.connections.closeAccount(accountId);
        video.closePerson(accountId);
      },
    });
    const room = createRoom({ db, publish: realtime.publish, log: appLog });
    const sessions = createSessions({
      db,
      room,
      codeLength: config.roomCodeLength,
      fieldAtEnd: (tx, therapistId) => field.snapshot(therapistId, tx),
    });
    const clients = createClients({ db, room, sessions, limits, clock, config, connections: realtime.connections });
    const field: Field = createField({
      db,
      room,
      clients,
      files,
      limits,
      uploadLimit: config.limits.uploads,
      log: appLog,
      async therapistName(therapistId) {
        const [row] = await db
          .select({ firstName: accountsTable.firstName })
          .from(accountsTable)
          .where(eq(accountsTable.id, therapistId));
        return row?.firstName ?? '';
      },
    });
    sessions.onEnding((tx, { therapistId }) => field.forgetActs(tx, therapistId));

    const events = createEvents({
      db,
      clock,
      files,
      limits,
      uploadLimit: config.limits.uploads,
      publicUrl: config.publicUrl,
      bookingsOf: (eventIds) => bookings.ofEvents(eventIds),
    });
    const calendar = createBookingCalendar({ publicUrl: config.publicUrl });
    const mail = createBookingMail({ outbox: platform.outbox, publicUrl: config.publicUrl, calendar, clock });
    const bookings: Bookings = createBookings({
      db,
      clock,
      events,
      outbox: platform.outbox,
      mail,
      calendar,
      limits,
      config,
      clients,
      log: appLog,
    });

    const video: Video = createVideo({
      db,
      room,
      publish: realtime.publish,
      clients,
      sessions,
      engine: videoEngine ?? engineOf(config, appLog),
      config,
      log: appLog,
      ...(videoLimits ? { limits: videoLimits } : {}),
    });

    /** Who a token belongs to: a therapist's sign-in or a client's seat. */
    async function identify(token: string): Promise<Principal | null> {
      const hash = hashToken(token);
      return (await accounts.identifyAccount(hash)) ?? (await clients.identifySeat(hash));
    }
    realtime.attach({ identify, identifyAccount: accounts.identifyAccount, clients, sessions, room, field, video });

    const gates: Gates<Principal, AccessValues> = {
      ...accounts.gates,
      ...clientsGates(clients),
      ...field.gates,
      ...events.gates,
      ...bookings.gates,
    };
    const http = await createHttp<Principal, AccessValues>({
      config,
      log: platform.log,
      metrics: platform.metrics,
      gates,
      async identify(token) {
        const principal = await identify(token);
        if (principal !== null) return principal;
        const ended = await clients.whyEnded(hashToken(token));
        return ended === null ? null : new Problem(ended);
      },
      maxLagMs: longRunning ? 2000 : 0,
    });
    accounts.routes(http);
    sessionsRoutes(http, sessions);
    clientsRoutes(http, { clients, sessions });
    field.routes(http);
    events.routes(http);
    bookings.routes(http);
    createSupport({ db, outbox: platform.outbox, limits, config, events }).routes(http);
    videoRoutes(http, { video, clients });
    http.upgrade(
      (request, socket, head) =>
        isOwnOrigin(request.headers, config) &&
        (realtime.broker.handleUpgrade(request, socket, head) || video.handleUpgrade(request, socket, head)),
    );
    jobs.every(1, 'clients.sweep', clients.sweep);
    jobs.every(1, 'sessions.sweep', sessions.sweep);
    jobs.every(60, 'realtime.checkSignIns', realtime.checkSignIns);
    jobs.every(60, 'video.checkMembers', video.checkMembers);
    jobs.every(600, 'field.pruneActs', field.pruneActs);
    platform.jobs.every(3600, 'accounts.removeOutdated', accounts.removeOutdated);
    platform.jobs.every(3600, 'bookings.eraseOutdated', bookings.eraseOutdated);

    platform.metrics.gauge('video_ready', 'Whether sound and picture can be carried', async () =>
      Number((await video.stats()).ready),
    );
    for (const [name, help, of] of VIDEO_NUMBERS)
      platform.metrics.gauge(name, help, async () => (await video.stats())[of]);
    mountHealth({ http, metrics: platform.metrics, metricsToken: config.metricsToken, checks: platform.checks });
    mountDevMail(http, platform.outbox, config);
    await mountDevPage(http, { clock, config });
    mountOpenApi(http, config.publicUrl);
    events.pages(http, await mountWeb(http, config));

    let closing: Promise<void> | undefined;
    return {
      ...platform,
      http,
      accounts,
      realtime,
      room,
      sessions,
      clients,
      field,
      events,
      bookings,
      video,
      async listen() {
        if (config.demo) await fillDemo({ db, field, files });
        await clients.afterStart();
        await sessions.afterStart();
        await platform.jobs.start();
        return http.listen();
      },
      close() {
        return (closing ??= (async () => {
          http.stopTaking();
          clients.stop();
          await realtime.stop();
          await video.stop();
          await http.close();
          await bookings.idle();
          field.stop();
          await room.stop();
          await platform.close();
        })());
      },
    };
  } catch (error) {
    await platform.close();
    throw error;
  }
}
