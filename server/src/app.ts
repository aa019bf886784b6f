/** The wiring: the platform, then each feature made by hand, in order. */
import * as path from 'node:path';
import { Problem } from './platform/problem.ts';
import type { AccessValues, Gates, Http, Principal } from './access.ts';
import { createConnectionOrders } from './realtime/connections.ts';
import { fillDemo, refuseDemo } from './demo/demo.ts';
import { mountDevPage } from './demo/dev-page.ts';
import type { Feature } from './feature.ts';
import { createAdmin } from './features/admin/index.ts';
import { createAccounts, type Accounts } from './features/accounts/index.ts';
import {
  createBookingCalendar,
  createBookingEmails,
  createBookings,
  type Bookings,
} from './features/bookings/index.ts';
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
import { mountHealth } from './platform/monitoring/health.ts';
import { createQuietMemory } from './platform/monitoring/quiet-memory.ts';
import { createCallerBlock } from './platform/http/caller-address.ts';
import { isOwnOrigin } from './platform/http/headers.ts';
import { createHttp } from './platform/http/http.ts';
import { mountOpenApi } from './platform/http/openapi.ts';
import { mountWeb } from './pages/pages.ts';
import type { Log } from './platform/monitoring/log.ts';
import { mountDevMail } from './platform/mail/dev-mail.ts';
import { createPlatform, type Platform, type PlatformParts } from './platform/platform.ts';
import { hashToken } from './platform/tokens.ts';
import { createStopping } from './stopping.ts';

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

export interface AppOptions {
  readonly log?: Log;
  /** The embedded database, if it was started already. */
  readonly embedded?: PlatformParts['embedded'];
  /** Gives the captcha of tests less work. */
  readonly captchaEffort?: Parameters<typeof createAccounts>[0]['captchaEffort'];
  /** False leaves out what only a long-running server needs. */
  readonly longRunning?: boolean;
  /** Limits of the real-time connection and of the video connection, for tests. */
  readonly stompLimits?: Parameters<typeof createRealtime>[0]['limits'];
  readonly videoLimits?: Parameters<typeof createVideo>[0]['limits'];
  /** Times of the bus over Redis, for tests. */
  readonly busTimes?: PlatformParts['busTimes'];
  /** Real time without a sign of life after which a node is dead, for tests. */
  readonly nodeDeadAfterMs?: PlatformParts['nodeDeadAfterMs'];
  /** How long connections have to move to other nodes. */
  readonly drainMs?: number;
  /** What carries audio and video, if it is not made by the settings. */
  readonly videoEngine?: VideoEngine;
}

/** Makes the whole server; nothing listens yet. Takes the settings. Returns its parts, and how to start and stop it. */
export async function createApp(
  config: Config,
  {
    log: givenLog,
    embedded,
    captchaEffort,
    longRunning = true,
    stompLimits,
    videoLimits,
    videoEngine,
    busTimes,
    nodeDeadAfterMs,
    drainMs,
  }: AppOptions = {},
): Promise<App> {
  const platform = await createPlatform(config, {
    log: givenLog,
    embedded,
    longRunning,
    busTimes,
    nodeDeadAfterMs,
  });
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
      db: roomDb,
      room,
      nodes,
      roomNodes,
      codeLength: config.roomCodeLength,
      // Called when a live session ends; the field is made below, on the live sessions.
      fieldAtEnd: (tx, therapistId) => field.snapshot(therapistId, tx),
    });
    const clients = createClients({
      db: roomDb,
      room,
      sessions,
      limits,
      clock,
      config,
      secrets,
      connections,
      nodes,
      roomNodes,
      renewJoinLink: accounts.renewJoinLink,
      hideTexts: (tx, row, afterCommit, figureIds) => field.hideTexts(tx, row, afterCommit, figureIds),
    });
    const field: Field = createField({
      db: roomDb,
      room,
      roomNodes,
      clients,
      files,
      limits,
      uploadLimit,
      log,
      therapistName: (therapistId) => accounts.firstNameOf(therapistId, roomDb),
      // Called by the acts that load one and that go back to one; both are made below, on the field.
      findConstellation: (tx, therapistId, id) => constellations.find(tx, therapistId, id),
      momentFigures: (tx, therapistId, momentId) => moments.figuresToGoBackTo(tx, therapistId, momentId),
    });
    const constellations: Constellations = createConstellations({ db: roomDb, room, field });
    const moments: Moments = createMoments({ db: roomDb, room, sessions, field });
    const events = createEvents({
      db,
      clock,
      files,
      limits,
      pictureWork,
      uploadLimit,
      publicUrl: config.publicUrl,
      // Called for lists of the owner; bookings are made below, on the events.
      bookingsOf: (eventIds) => bookings.ofEvents(eventIds),
    });
    const calendar = createBookingCalendar({ publicUrl: config.publicUrl });
    const mail = createBookingEmails({ outbox, publicUrl: config.publicUrl, calendar, clock });
    const bookings: Bookings = createBookings({
      db,
      clock,
      events,
      outbox,
      mail,
      calendar,
      limits,
      config,
      secrets,
      clients,
      log,
    });
    const video = createVideo({
      db: roomDb,
      room,
      publish: connections.publish,
      clients,
      sessions,
      engine: videoEngine ?? createEngine(config, log),
      bus,
      nodes,
      isSignedIn: async (tokenHash) => (await accounts.identifyAccount(tokenHash, roomDb)) !== null,
      addressOf,
      config,
      log,
      ...(videoLimits ? { limits: videoLimits } : {}),
    });
    const messages = createMessages({
      db: roomDb,
      room,
      sessions,
      clients,
      limits,
      publish: connections.publish,
      therapistName: accounts.firstNameOf,
    });
    const observerWords = createObserverWords({
      ...{ db: roomDb, room, sessions, clients, limits, publish: connections.publish },
    });
    const design = createDesign({
      ...{ db: roomDb, room, publish: connections.publish, files, limits, uploadLimit, pictureWork },
    });
    const usage = createUsage({
      db: roomDb,
      room,
      clock,
      sessions,
      clients,
      mediaFlows: (therapistId, on) => video.mediaFlows(therapistId, on),
      publish: connections.publish,
      outbox,
      publicUrl: config.publicUrl,
      nodes,
      roomNodes,
      log,
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
    const profile = createProfile({
      ...{ db, outbox, limits, clock, config, files, uploadLimit, pictureWork, log, accounts, events, sessions },
      closeSignIn: (accountId, tokenHash) => {
        connections.closeSignIn(accountId, tokenHash);
        video.closeSignIn(accountId, tokenHash);
      },
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
    accounts.onSignOut(async (principal) => {
      if (principal.kind === 'client') return clients.leave(principal.id);
      try {
        await sessions.end(principal.id, 'signed_out');
      } finally {
        // The sign-in has already ended, and cannot be used to try again.
        connections.closeSignIn(principal.id, principal.tokenHash);
        video.closeSignIn(principal.id, principal.tokenHash);
      }
    });
    // The others forget at once what they remember of a sign-in that may have ended.
    roomNodes.on<{ kind: string }>('connections', (therapistId, { kind }) => {
      if (kind === 'account' || kind === 'signIn') accounts.forget(therapistId);
    });
    accounts.onReset(profile.passwordReset);
    accounts.onSignInsEnded((accountId) => {
      connections.closeAccount(accountId);
      video.closePerson(accountId);
    });

    // ---- what carries them

    /**
     * Who a token belongs to: a therapist's sign-in or a client's seat; a Problem says why one has ended. Takes the
     * database by the share of connections that an account is looked up with.
     */
    async function identify(token: string, share = db): Promise<Principal | Problem | null> {
      const hash = hashToken(token);
      const principal = (await accounts.identifyAccount(hash, share)) ?? (await clients.identifySeat(hash));
      if (principal !== null) return principal;
      const ended = await clients.whyEnded(hash);
      return ended === null ? null : new Problem(ended);
    }
    const isSignedIn = async (principal: Principal) =>
      principal.kind === 'client'
        ? (await clients.seatOf(principal.id)) !== null
        : (await accounts.identifyAccount(principal.tokenHash, roomDb)) !== null;

    const realtime = createRealtime({
      channels: features.flatMap(({ channel = [] }) => channel),
      members: clients.members,
      connections,
      // A crowd of calls that has taken all its connections keeps nobody from coming back to a room.
      // Most of those who come are clients: their seats are looked for first.
      identify: async (token) => (await clients.identifySeat(hashToken(token))) ?? identify(token, roomDb),
      isSignedIn,
      bus,
      nodes,
      roomNodes,
      stampsOfAll: room.stampsOfAll,
      refreshRoom: field.refresh,
      waitMs: config.databaseTimeoutMs,
      log,
      limits: stompLimits,
      addressOf,
      // The upgrade decides whether a page may connect, because the host it came by is known there.
      allowedOrigin: () => true,
      // The field's lane gathers positions for a tick already; gathering again would add to the way from hand to eye.
      flushMs: 0,
    });
    const http = await createHttp<Principal, AccessValues>({
      config,
      log,
      metrics,
      gates: Object.assign({}, ...features.map(({ gates }) => gates)) as Gates,
      identify: (token) => identify(token),
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
    const shared = config.s3 === null ? null : platform.blobs;
    const web = await mountWeb(http, config, { kept, shared });
    if (kept !== null) jobs.every(web.keepEverySeconds, 'pages.keep', web.keepAssets);
    for (const feature of features) feature.pages?.(http, web);

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
      usage,
      retention,
      billing,
      profile,
      async listen() {
        // Nobody waits for an answer yet.
        await asBackgroundWork(async () => {
          if (config.production) await refuseDemo(db);
          const { isAlone } = await nodes.start();
          if (config.demo) await fillDemo({ db, field, files, billing });
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
