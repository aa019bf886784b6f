/**
 * Random histories of a therapist's practice, compared with a model that counts second by second: starts, stops, tabs
 * that are left and come back, people who arrive and leave, lost connections, restarts, crashes, and jumps of the
 * clock. The clock is stopped between its jumps, so that every length is exact.
 */
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { lengthOf, type Restarts, restarts, usageOf } from './usage.fixture.ts';

let server: Restarts;
beforeAll(async () => {
  server = restarts(await testApp({ env: { CLOCK_SPEED: '0.000000001' } }));
  await server.t.db.execute(sql`UPDATE product_clock SET anchor_product = date_trunc('second', product_now())`);
  await server.t.clock.refresh();
});
afterAll(() => server.close());

const TRIAL = 18_000;
const FOUR_HOURS = 14_400;

/** The rules in their simplest form: the model checks everything in every second. */
class Model {
  now = 0;
  plan: 'TRIAL' | 'PROFESSIONAL' = 'TRIAL';
  counted = 0;
  /** Since when the timer runs. */
  running: number | null = null;
  isLive = false;
  isHere = false;
  awaySince = 0;
  clients = 0;
  helped = 0;
  mails = 0;
  /** Tabs that were left, with the second of their stop; Infinity for tabs in use. */
  tabs: { tab: string; at: number; span: number }[] = [];
  stopAt: number | null = null;
  warning: number | null = null;
  lastStir = -Infinity;
  lastAct = -Infinity;
  isInterrupted = false;

  isTrialOver(): boolean {
    return this.plan === 'TRIAL' && this.counted >= TRIAL;
  }
  /** The timer stops. */
  halt(): void {
    this.running = null;
    this.stopAt = null;
    this.warning = null;
  }
  /** The live session ends. */
  end(): void {
    this.halt();
    this.isLive = false;
    this.isInterrupted = false;
    this.clients = 0;
    this.tabs = [];
  }
  begin(): void {
    this.running = this.now;
    this.isInterrupted = false;
    this.stopAt = null;
  }
  open(): void {
    if (this.isTrialOver() || this.isLive) return;
    this.isLive = true;
    this.tabs = [];
    this.lastStir = this.lastAct = -Infinity;
    this.awaySince = this.now;
    this.begin();
  }
  join(): void {
    this.isHere = this.isLive;
    if (this.isLive && this.isInterrupted && !this.isTrialOver()) this.begin();
  }
  stir(): void {
    if (this.running === null) return;
    this.lastStir = this.now;
    this.warning = null;
  }
  start(tab: string): string | null {
    if (this.isTrialOver()) return 'trial_over';
    if (!this.isLive) return 'no_live_session';
    this.setTab(tab, Infinity, 0);
    if (this.warning !== null) this.lastStir = this.now;
    this.warning = null;
    if (this.running === null) this.begin();
    this.stopAt = null;
    return null;
  }
  schedule(tab: string, seconds: number): void {
    if (!this.isLive) return;
    this.setTab(tab, this.now + seconds, seconds);
    if (this.running === null) return;
    if (this.tabs.some(({ at }) => at === Infinity)) {
      this.tabs = this.tabs.filter(({ at }) => at > this.now);
      this.stopAt = null;
    } else this.stopAt = Math.max(...this.tabs.map(({ at }) => at));
  }
  setTab(tab: string, at: number, span: number): void {
    const known = this.tabs.find((one) => one.tab === tab);
    if (known) Object.assign(known, { at, span });
    else this.tabs.push({ tab, at, span });
  }
  /** The server was stopped; its last sign of life was this many seconds ago. */
  cut(silent: number): void {
    if (this.running !== null) {
      const lost = Math.min(silent, this.now - this.running);
      this.counted -= lost;
      this.halt();
      this.isInterrupted = true;
    }
    if (this.isLive && this.isHere) this.awaySince = this.now;
    this.isHere = false;
    this.tabs = [];
    this.lastStir = this.lastAct = -Infinity;
  }

  pass(seconds: number): void {
    for (let n = 0; n < seconds; n++) this.tick();
  }
  tick(): void {
    this.now++;
    if (this.running !== null) {
      this.counted++;
      if (this.plan === 'TRIAL' && this.counted >= FOUR_HOURS && this.mails === 0) this.mails = 1;
      if (this.isTrialOver() || (this.warning !== null && this.now >= this.warning)) this.end();
      else this.lookAtStop();
      const isIdle = this.running !== null && this.now >= Math.max(this.running, this.lastStir) + 2100;
      if (isIdle && this.warning === null) {
        if (this.clients > 0) this.lastStir = this.now;
        else this.warning = this.now + 1500;
      }
    }
    if (this.isLive && !this.isHere && this.now >= this.awaySince + 600) this.end();
  }
  lookAtStop(): void {
    if (this.stopAt === null || this.now < this.stopAt) return;
    const last = this.tabs.filter(({ at }) => at === this.stopAt).at(-1)!;
    const here = this.isHere || this.stopAt < this.awaySince + 60;
    if (here && (this.clients > 0 || this.lastAct > this.stopAt - last.span)) {
      this.stopAt += last.span;
      this.tabs = [{ ...last, at: this.stopAt }];
    } else {
      this.tabs = this.tabs.filter(({ at }) => at === Infinity);
      this.halt();
    }
  }
}

type Step =
  | { kind: 'move'; seconds: number }
  | { kind: 'start'; tab: string }
  | { kind: 'schedule'; tab: string; seconds: number }
  | { kind: 'crash'; silent: number }
  | { kind: 'open' | 'end' | 'stop' | 'clientIn' | 'clientOut' | 'act' | 'leave' | 'join' | 'register' | 'restart' };

const plain = (kind: Exclude<Step['kind'], 'move' | 'start' | 'schedule' | 'crash'>, weight: number) => ({
  weight,
  arbitrary: fc.constant({ kind } as Step),
});
const TABS = ['', crypto.randomUUID(), crypto.randomUUID()];
const tab = fc.constantFrom(...TABS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      seconds: fc.constantFrom(61, 307, 599, 613, 1301, 2203, 4001, 11_003),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('start' as const), tab }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('schedule' as const),
      tab,
      seconds: fc.constantFrom(1, 97, 600, 1800),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), silent: fc.constantFrom(0, 20, 55) }) },
  ...[plain('open', 5), plain('end', 1), plain('stop', 2), plain('clientIn', 4), plain('clientOut', 3)],
  ...[plain('act', 4), plain('leave', 2), plain('join', 3), plain('register', 1), plain('restart', 1)],
);

const far = (times: number): Step[] => Array.from({ length: times }, () => ({ kind: 'move', seconds: 4001 }));
const OVER: Step[] = [{ kind: 'clientIn' }, ...far(5), { kind: 'start', tab: '' }, { kind: 'open' }];
const CRASHED: Step[] = [
  { kind: 'move', seconds: 2203 },
  { kind: 'act' },
  { kind: 'move', seconds: 307 },
  { kind: 'crash', silent: 20 },
  { kind: 'join' },
  { kind: 'move', seconds: 61 },
];

/** One practice on the real server. */
class Practice {
  readonly therapist: BuiltAccount;
  readonly clients: BuiltClient[] = [];
  private page = {};
  constructor(therapist: BuiltAccount) {
    this.therapist = therapist;
  }
  get calls() {
    return usageOf(server.t, this.therapist);
  }
  private get app() {
    return server.t.app;
  }

  async carryOut(what: Step): Promise<string | null> {
    const { app, calls, therapist } = this;
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (problem: { code: string }) => problem.code,
      );
    switch (what.kind) {
      case 'move':
        await server.t.move(what.seconds);
        await this.settle();
        return null;
      case 'open':
        await refused(calls.openRoom());
        await this.join();
        return null;
      case 'join':
        await this.join();
        return null;
      case 'leave':
        await app.sessions.therapistLeft(therapist.id, this.page);
        return null;
      case 'end':
        await app.sessions.end(therapist.id, 'ended');
        return null;
      case 'start':
        return refused(calls.start(what.tab || undefined));
      case 'schedule':
        await calls.schedule(what.seconds, what.tab || undefined);
        return null;
      case 'stop':
        await calls.stop();
        return null;
      case 'clientIn': {
        if ((await calls.running()) === null) return null;
        const client = await inRoom(app, therapist);
        await app.clients.connected(client, {});
        this.clients.push(client);
        return null;
      }
      case 'clientOut': {
        const client = this.clients.pop();
        if (client) await app.clients.leave(client.id);
        return null;
      }
      case 'act':
        await app.field.act(
          { as: 'therapist', therapistId: therapist.id, personId: therapist.id },
          crypto.randomUUID(),
          { kind: 'add', figure: { iconType: 'STAR', x: 1, y: 1 } },
        );
        return null;
      case 'register':
        await server.t.db.transaction((tx) => app.usage.becomeProfessional(tx, therapist.id));
        return null;
      case 'restart':
      case 'crash':
        if (what.kind === 'crash') await server.crash(what.silent);
        else await server.restart();
        this.page = {};
        for (const client of this.clients) await this.app.clients.connected(client, {});
        await this.settle();
        return null;
    }
  }
  private async join(): Promise<void> {
    await this.app.sessions.therapistJoined(this.therapist.id, this.page).catch(() => {});
  }
  /** Runs all sweeps of the next second. */
  private async settle(): Promise<void> {
    await this.app.jobs.runNow('usage.sweep');
    await this.app.sessions.sweep();
    await this.app.usage.settle();
  }
  /** Waits for background work after an act. */
  async quiet(): Promise<void> {
    for (let n = 0; n < 2; n++) await this.app.room.inOrder(this.therapist.id, async () => {});
  }
}

function follow(model: Model, what: Step): string | null {
  switch (what.kind) {
    case 'move':
      model.pass(what.seconds);
      return null;
    case 'open':
      model.open();
      model.join();
      return null;
    case 'join':
      model.join();
      return null;
    case 'leave':
      if (model.isHere) model.awaySince = model.now;
      model.isHere = false;
      return null;
    case 'end':
      model.end();
      return null;
    case 'start':
      return model.start(what.tab);
    case 'schedule':
      model.schedule(what.tab, what.seconds);
      return null;
    case 'stop':
      model.halt();
      model.isInterrupted = false;
      return null;
    case 'clientIn':
      if (!model.isLive) return null;
      model.clients++;
      model.helped++;
      model.stir();
      return null;
    case 'clientOut':
      if (model.clients > 0) {
        model.clients--;
        model.stir();
      }
      return null;
    case 'act':
      if (model.running !== null) model.lastAct = model.now;
      model.stir();
      return null;
    case 'register':
      // A new interval begins.
      if (model.plan === 'TRIAL' && model.running !== null) model.running = model.now;
      model.plan = 'PROFESSIONAL';
      return null;
    case 'restart':
      model.cut(0);
      return null;
    case 'crash':
      model.cut(what.silent);
      return null;
  }
}

test('the counter is what the rules say, never goes back, never exceeds the wall time, and the trial ends at its hour', async () => {
  let [counting, crashes, trialsOver, warnings] = [0, 0, 0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      const therapist = await aTherapist(server.t.db);
      const practice = new Practice(therapist);
      const model = new Model();
      let shown = 0;
      const began = (await server.t.clock.now()).getTime();
      for (const what of [{ kind: 'open' } as const, ...steps]) {
        const expected = follow(model, what);
        expect(await practice.carryOut(what)).toBe(expected);
        if (!model.isLive) practice.clients.length = 0;
        await practice.quiet();
        const { calls } = practice;
        const usage = await calls.usage();
        expect({
          counterState: usage.timer.counterState,
          counting: usage.timer.counting,
          isLive: (await calls.running()) !== null,
          plan: usage.plan,
          trialOver: usage.trialOver,
          helped: usage.peopleHelped,
          warning: usage.warningUntil === null ? null : (Date.parse(usage.warningUntil) - began) / 1000,
          mails: (await server.t.app.outbox.list()).filter(({ to }) => to === therapist.email).length,
          ms: await lengthOf(server.t, therapist.id),
        }).toEqual({
          counterState: model.counted,
          counting: model.running !== null,
          isLive: model.isLive,
          plan: model.plan,
          trialOver: model.isTrialOver(),
          helped: model.helped,
          warning: model.warning,
          mails: model.mails,
          ms: model.counted * 1000,
        });
        const timer = await calls.timer();
        expect(timer).toMatchObject({ counterState: model.counted, counting: model.running !== null });
        const lost = what.kind === 'crash' ? what.silent : 0;
        expect(timer.counterState).toBeGreaterThanOrEqual(shown - lost);
        shown = timer.counterState;
        expect(shown).toBeLessThanOrEqual(model.now);
        if (model.plan === 'TRIAL') expect(shown).toBeLessThanOrEqual(TRIAL);
        if (timer.counting) counting++;
        if (what.kind === 'crash' && model.isInterrupted) crashes++;
        if (model.isTrialOver()) trialsOver++;
        if (model.warning !== null) warnings++;
      }
      // Every live session has the seconds counted in it.
      const intervals = await practice.calls.intervals();
      for (const session of await practice.calls.sessions()) {
        const ms = intervals
          .filter(({ liveSessionId, endedAt }) => liveSessionId === session.id && endedAt !== null)
          .reduce((sum, { startedAt, endedAt }) => sum + endedAt!.getTime() - startedAt.getTime(), 0);
        expect(session.countedSeconds).toBe(Math.floor(ms / 1000));
      }
      await server.t.app.sessions.end(therapist.id, 'ended');
    }),
    // Two fixed histories that reach the interesting cases.
    { examples: [[OVER], [CRASHED]], numRuns: process.env['FIELDROOM_LONG'] === '1' ? 100 : 10 },
  );
  for (const seen of [counting, crashes, trialsOver, warnings]) expect(seen).toBeGreaterThan(0);
}, 1_800_000);
