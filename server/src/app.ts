/** The wiring: the platform, then each feature made by hand, in order. */
import type { AccessValues, Gates, Http, Principal } from './access.ts';
import { createConnectionOrders } from './realtime/connections.ts';
import { fillDemo, refuseDemo } from './demo/demo.ts';
import type { Feature } from './feature.ts';
import { createAdmin } from './features/admin/index.ts';
import { createAccounts, type Accounts } from './features/accounts/index.ts';
import { createBookings, type Bookings } from './features/bookings/index.ts';
import { createBilling, type Billing } from './features/billing/index.ts';
import { createBugReports } from './features/bugReports/index.ts';
import { createClients, type Clients } from './features/clients/index.ts';
import { createConstellations, type Constellations } from './features/constellations/index.ts';
import { createDesign } from './features/design/index.ts';
import { createEvents, type Events } from './features/events/index.ts';
import { createField, type Field } from './features/field/index.ts';
import { createLogs } from './features/logs/index.ts';
import { createMessages } from './features/messages/index.ts';
import { createMoments, type Moments } from './features/moments/index.ts';
import { createNotices } from './features/notices/index.ts';
import { createObserverWords } from './features/observerWords/index.ts';
import { createProfile, type ProfileFeature } from './features/profile/index.ts';
import { createRetention, type Retention } from './features/retention/index.ts';
import { createRoom, createRoomFeature, createRoomNodes, type Room } from './features/room/index.ts';
import { createSearch } from './features/search/index.ts';
import { createSessionHistory, createSessions, type Sessions } from './features/sessions/index.ts';
import { createSupport } from './features/support/index.ts';
import { createUsage, type Usage } from './features/usage/index.ts';
import { createEngine, createVideo, type Video, type VideoEngine } from './features/video/index.ts';
import { createRealtime, type Realtime } from './realtime/realtime.ts';
import type { Config } from './platform/config.ts';
import { asBackgroundWork } from './platform/db/db.ts';
import { createQuietMemory } from './platform/monitoring/quiet-memory.ts';
import { createCallerBlock } from './platform/http/caller-address.ts';
import { isOwnOrigin } from './platform/http/headers.ts';
import { createHttp } from './platform/http/http.ts';
import { createPlatform, type Platform, type PlatformParts } from './platform/platform.ts';
import { createStopping } from './stopping.ts';
import { mountPages } from './wiring/mount-pages.ts';
import { createSignIns } from './wiring/sign-ins.ts';
import { connectSignOut } from './wiring/sign-out.ts';

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
  readonly usage: Usage;
  readonly retention: Retention;
  readonly billing: Billing;
  readonly profile: ProfileFeature;
  /** Starts jobs and opens the port. Returns the address. */
  listen(): Promise<string>;
}

export interface AppOptions extends PlatformParts {
  /** Gives the captcha of tests less work. */
  readonly captchaEffort?: Parameters<typeof createAccounts>[0]['captchaEffort'];
  /** Limits of the real-time connection and of the video connection, for tests. */
  readonly stompLimits?: Parameters<typeof createRealtime>[0]['limits'];
  readonly videoLimits?: Parameters<typeof createVideo>[0]['limits'];
  /** How long connections have to move to other nodes. */
  readonly drainMs?: number;
  /** What carries audio and video, if it is not made by the settings. */
  readonly videoEngine?: VideoEngine;
}

/** Makes the whole server; nothing listens yet. Takes the settings. Returns its parts, and how to start and stop it. */
export async function createApp(
  config: Config,
  { captchaEffort, longRunning = true, stompLimits, videoLimits, videoEngine, drainMs, ...parts }: AppOptions = {},
): Promise<App> {
  const platform = await createPlatform(config, { ...parts, longRunning });
  try {
    const { db, roomDb, bus, nodes, log, jobs, schedule, metrics, secrets, limits, clock, files, pictureWork, outbox } =
      platform;
    const uploadLimit = config.limits.uploads;
    const addressOf = createCallerBlock(config);
    const roomNodes = createRoomNodes(bus);
    const connections = createConnectionOrders({ bus, roomNodes });

    // ---- features, each on those above it

    const accounts = createAccounts({ ...platform, captchaEffort });
    const room = createRoom({ db: roomDb, publish: connections.publish, log });
    const sessions = createSessions({
      ...{ db: roomDb, room, nodes, roomNodes },
      codeLength: config.roomCodeLength,
      // Called when a live session ends; the field is made below, on the live sessions.
      fieldAtEnd: (tx, therapistId) => field.snapshot(therapistId, tx),
    });
    const clients = createClients({
      ...{ db: roomDb, room, sessions, limits, clock, config, secrets, connections, nodes, roomNodes },
      renewJoinLink: accounts.renewJoinLink,
      hideTexts: (tx, row, afterCommit, figureIds) => field.hideTexts(tx, row, afterCommit, figureIds),
    });
    const signIns = createSignIns({ accounts, clients, db, roomDb });
    const field: Field = createField({
      ...{ db: roomDb, room, roomNodes, clients, files, limits, uploadLimit, log },
      therapistName: (therapistId) => accounts.firstNameOf(therapistId, roomDb),
      // Called by the acts that load one and that go back to one; both are made below, on the field.
      findConstellation: (tx, therapistId, id) => constellations.find(tx, therapistId, id),
      momentFigures: (tx, therapistId, momentId) => moments.figuresToGoBackTo(tx, therapistId, momentId),
    });
    const constellations: Constellations = createConstellations({ db: roomDb, room, field });
    const moments: Moments = createMoments({ db: roomDb, room, sessions, field });
    const events = createEvents({
      ...{ db, clock, files, limits, pictureWork, uploadLimit, publicUrl: config.publicUrl },
      // Called for lists of the owner; bookings are made below, on the events.
      bookingsOf: (eventIds) => bookings.ofEvents(eventIds),
    });
    const bookings: Bookings = createBookings({ db, clock, events, outbox, limits, config, secrets, clients, log });
    const video = createVideo({
      ...{ db: roomDb, room, publish: connections.publish, clients, sessions, bus, nodes, addressOf, config, log },
      engine: videoEngine ?? createEngine(config, log),
      isSignedIn: signIns.isAccountSignedIn,
      ...(videoLimits ? { limits: videoLimits } : {}),
    });
    const messages = createMessages({
      ...{ db: roomDb, room, sessions, clients, limits, publish: connections.publish },
      therapistName: accounts.firstNameOf,
    });
    const observerWords = createObserverWords({
      ...{ db: roomDb, room, sessions, clients, limits, publish: connections.publish },
    });
    const design = createDesign({
      ...{ db: roomDb, room, publish: connections.publish, files, limits, uploadLimit, pictureWork },
    });
    const usage = createUsage({
      ...{ db: roomDb, room, clock, sessions, clients, publish: connections.publish, outbox, nodes, roomNodes, log },
      publicUrl: config.publicUrl,
      mediaFlows: (therapistId, on) => video.mediaFlows(therapistId, on),
    });
    const support = createSupport({ db, outbox, limits, config, events, contactOf: accounts.contactOf });
    const sessionHistory = createSessionHistory({ db, outbox, limits, config });
    const admin = createAdmin({ db, schedule, accounts, sessions });
    const billing = createBilling({ db, clock, config, usage, outbox, log });
    const notices = createNotices({ db, publish: connections.publish, bookings, clients, billing });
    const logs = createLogs({ db, limits, config });
    const bugReports = createBugReports({ db, files, limits, config, pictureWork });
    const retention = createRetention({
      db,
      clock,
      eraseBookings: bookings.eraseOutdated,
      purges: [
        accounts.removeOutdated,
        async () => ({ emails: await outbox.removeOld() }),
        notices.removeOld,
        logs.removeOld,
        bugReports.removeOutdated,
      ],
    });
    const { closeSignIn } = connectSignOut({ accounts, clients, sessions, connections, video, roomNodes });
    const profile = createProfile({
      ...{ db, outbox, limits, clock, config, files, uploadLimit, pictureWork, log, accounts, events, sessions },
      closeSignIn,
    });
    const roomFeature = createRoomFeature({ room, fieldValue: field.playersValue, peopleValue: clients.peopleValue });
    /** In the order in which they were made. The hooks of their channels run in it; a stop begins with the last one. */
    const others: Readonly<Record<string, Feature>> = {
      ...{ accounts, room: roomFeature, sessions, clients, field, constellations, moments },
      ...{ events, bookings, video, messages, observerWords, design, usage, support },
      ...{ sessionHistory, admin, billing, notices, logs, bugReports, retention, profile },
    };
    const sources = Object.values(others).flatMap(({ search = [] }) => search);
    const byName: Readonly<Record<string, Feature>> = { ...others, search: createSearch({ limits, config, sources }) };
    const features = Object.values(byName);

    // ---- what features tell each other

    sessions.onEnding((tx, { therapistId }) => field.forgetActs(tx, therapistId));
    sessions.onHere((therapistId, here, how) => {
      field.therapistHere(therapistId, here);
      usage.therapistHere(therapistId, here, how);
    });
    field.onAct(usage.acted);
    accounts.onReset(profile.passwordReset);

    // ---- what carries them

    const realtime = createRealtime({
      ...{ connections, bus, nodes, roomNodes, log, addressOf },
      channels: features.flatMap(({ channel = [] }) => channel),
      members: clients.members,
      identify: signIns.identifyInRoom,
      isSignedIn: signIns.isSignedIn,
      stampsOfAll: room.stampsOfAll,
      refreshRoom: field.refresh,
      waitMs: config.databaseTimeoutMs,
      limits: stompLimits,
      // The upgrade decides whether a page may connect, because the host it came by is known there.
      allowedOrigin: () => true,
      // The field's lane gathers positions for a tick already; gathering again would add to the way from hand to eye.
      flushMs: 0,
    });
    const http = await createHttp<Principal, AccessValues>({
      ...{ config, log, metrics },
      gates: Object.assign({}, ...features.map(({ gates }) => gates)) as Gates,
      identify: signIns.identify,
      // Clients of a therapist count as one: a stranger with the join link may be many.
      senderOf: (principal) =>
        principal.kind === 'account' ? `account ${principal.id}` : `clients of ${principal.therapistId}`,
      maxLagMs: longRunning ? config.maxLagMs : 0,
    });
    http.upgrade(
      (request, socket, head) =>
        isOwnOrigin(request.headers, config) &&
        (realtime.broker.handleUpgrade(request, socket, head) || video.handleUpgrade(request, socket, head)),
    );
    for (const feature of features) feature.routes?.(http);
    for (const { scheduled = [] } of features) for (const work of scheduled) schedule.register(work);
    for (const feature of [...features, realtime]) {
      for (const { name, everySeconds, run } of feature.jobs ?? []) jobs.every(everySeconds, name, run);
      for (const { name, help, read } of feature.metrics ?? []) metrics.gauge(name, help, read);
    }

    if (longRunning) {
      const memory = createQuietMemory({ traffic: realtime.broker.stats });
      jobs.every(memory.everySeconds, 'memory.collect', memory.look);
    }

    // ---- pages

    const stopping = createStopping({ features: byName, platform, http, realtime, video, drainMs });
    await mountPages({ http, config, platform, features, stopping, longRunning });

    return {
      ...platform,
      ...{ http, realtime, accounts, room, sessions, clients, field, events, bookings, video },
      ...{ usage, retention, billing, profile },
      async listen() {
        // Nobody waits for an answer yet.
        await asBackgroundWork(async () => {
          if (config.production) await refuseDemo(db);
          const { isAlone } = await nodes.start();
          if (config.demo) await fillDemo({ db, field, files, billing, isAlone });
          await clients.afterStart();
          await sessions.afterStart();
          await usage.afterStart({ isAlone });
          await platform.outbox.afterStart({ isAlone });
        });
        await schedule.start();
        platform.jobs.start();
        return http.listen();
      },
      close: stopping.close,
    };
  } catch (error) {
    await platform.close();
    throw error;
  }
}
