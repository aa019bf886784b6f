/** The timer over HTTP and real connections, on a moved clock. Tests carry the numbers of README.md. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { endLiveSession, setNonActive, setActive } from '@fieldroom/contract/clients';
import * as calls from '@fieldroom/contract/usage';
import { counterAt } from '@fieldroom/contract/usage';
import { LANGUAGES } from '@fieldroom/contract/text';
import { openClientScreen, type Screen } from '../../../tests/support/people/screen.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { anAdmin, aTherapist } from '../../builders/accounts.builders.ts';
import { aClient, inRoom } from '../../builders/clients.builders.ts';
import { lengthOf, usageOf } from './usage.fixture.ts';
import { usageIntervals } from './usage.tables.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());

const problem = (code: string) => expect.objectContaining({ code });
const as = ({ token }: { token: string }) => ({ token });
/** Seconds that passed besides those by which the clock was moved: the test's own time. */
const SLACK = 30;
const about = (seconds: number) => expect.toSatisfy((n: number) => n >= seconds && n < seconds + SLACK, `≈ ${seconds}`);

async function aPractice() {
  const therapist = await aTherapist(t.db);
  return { therapist, ...usageOf(t, therapist) };
}
/** A therapist with an open page and a client who is in the room, with a page too. */
async function aRoomWithClient() {
  const practice = await aPractice();
  const screen = await practice.screen();
  const client = await inRoom(t.app, practice.therapist);
  return { ...practice, screen, client, page: await openClientScreen(t.url, client) };
}
const act = (therapistId: number) =>
  t.app.field.act({ as: 'therapist', therapistId, personId: therapistId }, crypto.randomUUID(), {
    kind: 'add',
    figure: { iconType: 'KIWI', x: 10, y: 20 },
  });
const dialogs = (screen: Screen) => screen.of('DIALOG').map(({ contents }) => contents.dialog);
/** Waits until the server has noticed that a therapist's last connection has ended. Returns since when. */
const gone = (therapistId: number) =>
  expect.poll(async () => (await t.app.room.row(therapistId)).therapistAwaySince).toBeInstanceOf(Date);
/** Waits until everything published before has reached the screen. */
const heardAll = (screen: Screen) => screen.send('/app/check.connection', {});

describe('1 one interval', () => {
  test('starts with the live session and stops with it, and the sum is the length of the intervals', async () => {
    const { therapist, open, timer, move, intervals, row, sessions } = await aPractice();
    expect(await timer()).toMatchObject({ counterState: 0, counting: false, stopsAtSeconds: 18_000 });
    await open();
    await move(100);
    expect(await timer()).toMatchObject({ counterState: about(100), counting: true, stopsAtSeconds: 18_000 });
    await t.api(endLiveSession, {}, as(therapist));
    const { counterState, counting } = await timer();
    expect([counterState, counting]).toEqual([about(100), false]);
    await move(5000);
    expect(await timer()).toMatchObject({ counterState, counting: false });
    const [interval, ...more] = await intervals();
    expect(more).toEqual([]);
    expect(interval).toMatchObject({ plan: 'TRIAL', endedAt: expect.any(Date) });
    expect((await row())!.countedMs).toBe(await lengthOf(t, therapist.id));
    expect((await sessions()).map(({ countedSeconds }) => countedSeconds)).toEqual([counterState]);
    expect(await row()).toMatchObject({ dueAt: null, stopAt: null, warningUntil: null });
  });

  test('is not changed by further starts or a second stop', async () => {
    const { open, openRoom, start, stop, move, timer, intervals, sessions } = await aPractice();
    await open();
    await move(10);
    await Promise.all([start(), start(crypto.randomUUID()), start(), openRoom()]);
    expect(await intervals()).toHaveLength(1);
    await stop();
    const { counterState } = await timer();
    await move(50);
    await stop();
    expect(await timer()).toMatchObject({ counterState, counting: false });
    await start();
    await move(10);
    expect(await timer()).toMatchObject({ counterState: about(counterState + 10), counting: true });
    expect(await intervals()).toHaveLength(2);
    await stop();
    expect((await sessions())[0]!.countedSeconds).toBe((await timer()).counterState);
  });

  test('cannot overlap another or run twice: the database refuses it', async () => {
    const { therapist, open, used, stop } = await aPractice();
    await used(3600, 2);
    await open();
    const at = (hours: number) => sql`product_now() - make_interval(hours => ${hours}::int)`;
    const insert = (from: number, until: number | null) =>
      t.db.insert(usageIntervals).values({
        therapistId: therapist.id,
        plan: 'TRIAL',
        startedAt: at(from),
        endedAt: (until === null ? null : at(until)) as never,
      });
    const refused = (code: string) => expect.objectContaining({ cause: expect.objectContaining({ code }) });
    await expect(insert(48, 46)).rejects.toEqual(refused('23P01'));
    await expect(insert(49, 47)).rejects.toEqual(refused('23P01'));
    await expect(insert(1, -1)).rejects.toEqual(refused('23P01'));
    await expect(insert(-1, null)).rejects.toEqual(refused('23505'));
    await stop();
    await expect(insert(46, 47)).rejects.toEqual(refused('23514'));
    await insert(46, 40);
  });

  test('needs a running live session', async () => {
    const { start, stop, schedule, row } = await aPractice();
    await expect(start()).rejects.toEqual(problem('no_live_session'));
    await stop();
    await schedule(600);
    expect(await row()).toBe(null);
  });
});

describe('2 the timer’s messages', () => {
  test('announce starts and stops to everybody in the room, and the timer to a connection that joins', async () => {
    const { therapist, stop, start, move, screen, client, page } = await aRoomWithClient();
    for (const one of [screen, page])
      expect((await one.next('TIMER_UPDATE')).contents).toMatchObject({ counting: true });
    await move(60);
    const before = page.heard.length;
    await stop();
    const { contents } = await page.next('TIMER_UPDATE', ({ contents: { counting } }) => !counting, before);
    expect(contents).toMatchObject({ counterState: about(60), stopsAtSeconds: 18_000 });
    await start();
    for (const one of [screen, page])
      await one.next('TIMER_UPDATE', ({ contents: { counting } }) => counting, one === page ? before : 0);
    const timer = await t.api(calls.getTimer, { params: { userId: therapist.id } }, as(client));
    expect(timer).toMatchObject({ counting: true, counterState: about(60) });
    // Messages about one interval agree on when the next second begins.
    const latest = page.of('TIMER_UPDATE').at(-1)!.contents;
    for (let ms = 0; ms < 3000; ms += 250)
      expect(counterAt(latest, Date.parse(timer.at) + ms)).toBe(counterAt(timer, Date.parse(timer.at) + ms));
    await screen.leave();
    await page.leave();
  });

  test('do not reach people who wait, and never contain another’s timer', async () => {
    const { therapist, open } = await aPractice();
    const other = await aPractice();
    await open();
    const waiting = await aClient(t.app, therapist);
    const params = { userId: therapist.id };
    await expect(t.api(calls.getTimer, { params }, as(waiting))).rejects.toEqual(problem('not_admitted'));
    await expect(t.api(calls.getTimer, { params }, as(other.therapist))).rejects.toEqual(problem('forbidden'));
  });

  test('are not caused by a foreign id, nor by a client’s own: both are refused', async () => {
    const { therapist, open, row, intervals } = await aPractice();
    const other = await aPractice();
    await open();
    const client = await inRoom(t.app, therapist);
    const before = [await row(), await intervals()];
    for (const call of [calls.startTimer, calls.stopTimer, calls.scheduleTimerStop]) {
      const params = { userId: therapist.id, ...(call === calls.scheduleTimerStop ? { seconds: 600 } : {}) } as never;
      await expect(t.api(call, { params }, as(other.therapist))).rejects.toEqual(problem('not_found'));
      await expect(t.api(call, { params }, as(client))).rejects.toEqual(problem('not_found'));
      await expect(
        t.api(call, { params: { ...(params as object), userId: client.id } as never }, as(client)),
      ).rejects.toEqual(problem('forbidden'));
    }
    const body = { id: therapist.id };
    await expect(t.api(calls.sendFourHourWarningMail, { body }, as(other.therapist))).rejects.toEqual(
      problem('not_found'),
    );
    expect([await row(), await intervals()]).toEqual(before);
    expect(await other.row()).toBe(null);
  });

  test('do not exist for an admin who is not a therapist', async () => {
    const admin = await anAdmin(t.db, { roles: ['ROLE_ADMIN'] });
    await expect(t.api(calls.startTimer, { params: { userId: admin.id } }, as(admin))).rejects.toEqual(
      problem('forbidden'),
    );
  });
});

describe('4 a scheduled stop', () => {
  test.each(['0', '1801', '-1', '1.5', 'soon', '99999999999'])('is refused after %s seconds', async (seconds) => {
    const { therapist, open, row } = await aPractice();
    await open();
    const before = await row();
    await expect(
      t.api(calls.scheduleTimerStop, { params: { userId: therapist.id, seconds } as never }, as(therapist)),
    ).rejects.toMatchObject({ code: 'invalid_input', more: { fields: [{ path: 'seconds' }] } });
    expect(await row()).toEqual(before);
  });

  test('takes effect at its own moment, however late it is noticed, and the returning page starts again', async () => {
    const { open, schedule, timer, move, start, intervals } = await aPractice();
    await open();
    await move(100);
    await schedule(600);
    const { counterState } = await timer();
    await t.move(1300);
    // No sweep has run yet.
    expect((await timer()).counterState).toBeLessThanOrEqual(counterState + 601);
    await start();
    const [first, second] = await intervals();
    expect(first!.endedAt!.getTime() - first!.startedAt.getTime()).toBeLessThan((counterState + 602) * 1000);
    expect(second!.startedAt.getTime() - first!.endedAt!.getTime()).toBeGreaterThan(690_000);
    await move(10);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(counterState + 610) });
  });

  test('is cancelled by the tab that comes back in time', async () => {
    const { open, schedule, timer, move, start, row } = await aPractice();
    const tab = crypto.randomUUID();
    await open();
    await start(tab);
    await schedule(1, tab);
    await start(tab);
    await move(100);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(100) });
    expect(await row()).toMatchObject({ stopAt: null });
  });

  test('waits for every tab, and takes effect at the latest one; closing one of two stops nothing', async () => {
    const { open, schedule, timer, move, start } = await aPractice();
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    await open();
    await start(one);
    await start(other);
    await schedule(600, one);
    await move(700);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(700) });
    // The first one is already removed, so only the second decides.
    await schedule(1800, other);
    await move(1700);
    expect(await timer()).toMatchObject({ counting: true });
    await move(200);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(2500) });
    await start(one);
    await start(other);
    await schedule(300, one);
    await schedule(10, other);
    await move(200);
    expect(await timer()).toMatchObject({ counting: true });
    await move(200);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(2800) });
  });

  test('counts a call without a tab as one more tab', async () => {
    const { open, schedule, timer, move, start } = await aPractice();
    const tab = crypto.randomUUID();
    await open();
    await start(tab);
    await schedule(10);
    await move(100);
    expect(await timer()).toMatchObject({ counting: true });
    await start();
    await schedule(10, tab);
    await move(100);
    expect(await timer()).toMatchObject({ counting: true });
    await schedule(10);
    await move(100);
    expect(await timer()).toMatchObject({ counting: false });
  });

  test('is checked again while a client is in the room and the therapist is connected', async () => {
    const { schedule, timer, move, screen, client, page } = await aRoomWithClient();
    await schedule(600);
    await move(650);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(650) });
    await page.leave();
    await t.app.clients.leave(client.id);
    await move(500);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(1150) });
    await move(100);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(1200) });
    await screen.leave();
  });

  test('is checked again while media flow', async () => {
    const { screen: openScreen, schedule, timer, move } = await aPractice();
    const screen = await openScreen();
    const flows = vi.spyOn(t.app.video, 'mediaFlows').mockReturnValue(true);
    await schedule(600);
    await move(1250);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(1250) });
    // It is read on the act's own connection: the act holds the room's lock, and another connection may not be free.
    expect(flows.mock.calls.every(([, on]) => on !== undefined)).toBe(true);
    flows.mockReturnValue(false);
    await move(600);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(1800) });
    await screen.leave();
  });

  test('does not stop the timer of a room with a client while the page is reloading', async () => {
    const { therapist, schedule, timer, move, screen, page } = await aRoomWithClient();
    await schedule(100);
    await t.move(250);
    await screen.cut();
    await gone(therapist.id);
    await move(1);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(251) });
    // Checked after 300 s, within the minute, and after 400 s, when nobody was back.
    await move(200);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(400) });
    await page.leave();
  });

  test('is not postponed for a therapist whose connection has ended', async () => {
    const { therapist, schedule, timer, move, screen, page } = await aRoomWithClient();
    await schedule(500);
    await screen.cut();
    await gone(therapist.id);
    await move(550);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(500) });
    await page.leave();
  });

  test('is postponed once by each change of the field since it was scheduled', async () => {
    const { therapist, screen: openScreen, schedule, timer, move } = await aPractice();
    const screen = await openScreen();
    await act(therapist.id);
    await move(10);
    await schedule(600);
    await move(100);
    await act(therapist.id);
    await move(550);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(660) });
    await move(5000);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(1210) });
    await screen.leave();
  });

  test('is not postponed by an act before it was scheduled', async () => {
    const { therapist, screen: openScreen, schedule, timer, move } = await aPractice();
    const screen = await openScreen();
    await act(therapist.id);
    await move(10);
    await schedule(600);
    await move(700);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(610) });
    await screen.leave();
  });
});

describe('5 the therapist disappears', () => {
  test('exactly ten minutes after that count', async () => {
    const { therapist, screen: openScreen, timer, running } = await aPractice();
    const screen = await openScreen();
    await t.move(100);
    await screen.cut();
    await gone(therapist.id);
    await t.move(1500);
    // No sweep has noticed it yet, and no message shows more than will count.
    expect((await timer()).counterState).toEqual(about(700));
    await t.app.usage.settle();
    await t.app.sessions.sweep();
    expect(await running()).toBe(null);
    expect(await timer()).toMatchObject({ counting: false, counterState: about(700) });
  });
});

describe('6 an idle room', () => {
  test('gets a warning after 35 minutes alone, and the end exactly 25 minutes later', async () => {
    const { screen: openScreen, timer, move, usage, running, sessions } = await aPractice();
    const screen = await openScreen();
    await move(2080);
    expect((await usage()).warningUntil).toBe(null);
    await move(30);
    const { contents } = await screen.next('DIALOG');
    expect(contents).toEqual({ dialog: 'timeoutwarning', until: expect.any(String) });
    const { warningUntil, timer: warned } = await usage();
    expect(warningUntil).toBe(contents.until);
    expect(warned).toMatchObject({ counting: true, stopsAtSeconds: 3600 });
    await move(1400);
    expect(await running()).not.toBe(null);
    await t.move(900);
    expect(await timer()).toMatchObject({ counterState: 3600, counting: false });
    await t.app.usage.settle();
    expect((await screen.next('SESSION_OUT')).contents.reason).toBe('timed_out');
    await heardAll(screen);
    expect(dialogs(screen)).toEqual(['timeoutwarning', 'timedout']);
    expect(await timer()).toMatchObject({ counterState: 3600, counting: false });
    expect(await sessions()).toMatchObject([{ endReason: 'timed_out', countedSeconds: 3600 }]);
    await screen.leave();
  });

  test('ends by a clock jump over both too, without a warning that nobody could see', async () => {
    const { screen: openScreen, timer, move } = await aPractice();
    const screen = await openScreen();
    await move(3 * 3600);
    await screen.next('SESSION_OUT');
    expect(dialogs(screen)).toEqual(['timedout']);
    expect(await timer()).toMatchObject({ counterState: 3600, counting: false });
    await screen.leave();
  });

  const takesBack: Record<string, (practice: Awaited<ReturnType<typeof aPractice>>) => Promise<unknown>> = {
    startTimer: ({ start }) => start(),
    'an act on the field': ({ therapist }) => act(therapist.id),
    'a client who comes in': ({ therapist }) => inRoom(t.app, therapist),
  };
  test.each(Object.keys(takesBack))('%s cancels the warning, and 35 minutes start again', async (what) => {
    const practice = await aPractice();
    const { screen: openScreen, move, usage, timer, running } = practice;
    const screen = await openScreen();
    await move(2110);
    await screen.next('DIALOG');
    const before = screen.heard.length;
    await takesBack[what]!(practice);
    expect(
      (await screen.next('TIMER_UPDATE', ({ contents }) => contents.stopsAtSeconds === 18_000, before)).contents,
    ).toMatchObject({ counting: true });
    expect((await usage()).warningUntil).toBe(null);
    await move(2050);
    expect(await running()).not.toBe(null);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(4160) });
    expect((await usage()).warningUntil).toBe(null);
    await screen.leave();
  });

  test('gets no warning while somebody else is in it or after an act, only 35 minutes after they left', async () => {
    const { therapist, move, usage, screen, client, page } = await aRoomWithClient();
    await move(5000);
    expect((await usage()).warningUntil).toBe(null);
    await t.app.clients.leave(client.id);
    await move(2000);
    expect((await usage()).warningUntil).toBe(null);
    await act(therapist.id);
    await move(2000);
    expect((await usage()).warningUntil).toBe(null);
    await move(150);
    expect((await usage()).warningUntil).not.toBe(null);
    await page.closed;
    await screen.leave();
  });
});

describe('7 the trial', () => {
  test('ends at exactly 18000 s after a jump; dialogs, email and end happen once, and nothing on the field is lost', async () => {
    const { therapist, move, timer, usage, claim, mail, sessions, open, start, row, screen, page } =
      await aRoomWithClient();
    await act(therapist.id);
    await move(14_300);
    expect(await usage()).toMatchObject({ plan: 'TRIAL', trialOver: false, fourHoursDue: false });
    expect(await claim()).toBe(false);
    await mail();
    expect(await t.emails(therapist.email)).toEqual([]);
    await move(200);
    expect((await screen.next('DIALOG')).contents).toEqual({ dialog: 'fourhours', until: null });
    expect(await usage()).toMatchObject({ fourHoursDue: true });
    expect((await Promise.all([claim(), claim(), claim()])).filter(Boolean)).toHaveLength(1);
    expect(await usage()).toMatchObject({ fourHoursDue: false });
    await mail();
    await move(3 * 3600);
    for (const one of [screen, page]) expect((await one.next('SESSION_OUT')).contents.reason).toBe('trial_over');
    await heardAll(screen);
    expect(dialogs(screen)).toEqual(['fourhours', 'trialover']);
    expect(page.of('DIALOG')).toEqual([]);
    expect(await timer()).toMatchObject({ counterState: 18_000, counting: false, stopsAtSeconds: 18_000 });
    expect((await row())!.countedMs).toBe(18_000_000);
    expect(await lengthOf(t, therapist.id)).toBe(18_000_000);
    expect(await sessions()).toMatchObject([{ endReason: 'trial_over', countedSeconds: 18_000 }]);
    await mail();
    await t.app.usage.settle();
    expect(await t.emails(therapist.email)).toHaveLength(1);
    await expect(open()).rejects.toEqual(problem('trial_over'));
    await expect(start()).rejects.toEqual(problem('trial_over'));
    expect(await sessions()).toHaveLength(1);
    expect(await usage()).toMatchObject({ trialOver: true, fourHoursDue: false });
    expect(await claim()).toBe(false);
    expect((await t.app.field.snapshot(therapist.id)).figures).toHaveLength(1);
    await screen.leave();
  });

  test('sends the email once and shows only the end after a jump over everything', async () => {
    const { therapist, screen: openScreen, move, timer, claim } = await aPractice();
    const screen = await openScreen();
    await inRoom(t.app, therapist).then((client) => openClientScreen(t.url, client));
    await move(10 * 3600);
    await screen.next('SESSION_OUT');
    expect(dialogs(screen)).toEqual(['trialover']);
    expect(await timer()).toMatchObject({ counterState: 18_000, counting: false });
    expect(await t.emails(therapist.email)).toHaveLength(1);
    expect(await claim()).toBe(false);
    await screen.leave();
  });

  test.each(LANGUAGES)('has an email in the language of the account: %s', async (language) => {
    const therapist = await aTherapist(t.db, { language, firstName: 'Ágnes', lastName: 'Nagy' });
    const { open, used, move, mail } = usageOf(t, therapist);
    await used(14_395);
    await open();
    await move(10);
    await Promise.all([mail(), mail(), t.app.usage.settle()]);
    const [email, ...more] = await t.emails(therapist.email);
    expect(more).toEqual([]);
    expect(email).toMatchObject({ kind: 'usage.fourHours', language, replyTo: null });
    expect(email!.text).toContain('http://fieldroom.test/app/subscription/professional-package');
    expect(email!.text).toContain(language === 'hu' ? 'Nagy Ágnes' : 'Ágnes Nagy');
  });

  test('is used up by several live sessions together', async () => {
    const { therapist, used, open, move, timer, sessions } = await aPractice();
    await used(17_000);
    await open();
    await move(500);
    await t.app.sessions.end(therapist.id, 'ended');
    await open();
    await move(5000);
    expect(await timer()).toMatchObject({ counterState: 18_000, counting: false });
    expect((await sessions()).map(({ endReason }) => endReason)).toEqual(['ended', 'trial_over']);
  });

  test('keeps its rest after a stop before its end', async () => {
    const { used, open, move, schedule, timer, running, usage } = await aPractice();
    await used(17_000);
    await open();
    await schedule(900);
    await move(5000);
    expect(await timer()).toMatchObject({ counterState: about(17_900), counting: false });
    expect(await running()).not.toBe(null);
    expect(await usage()).toMatchObject({ trialOver: false });
  });
});

describe('8 the registration', () => {
  const finalize = (therapistId: number) => t.db.transaction((tx) => t.app.usage.becomeProfessional(tx, therapistId));

  test('ends the trial, once; the running interval is split and continues', async () => {
    const { therapist, screen: openScreen, used, move, timer, usage, intervals, row } = await aPractice();
    await used(17_000);
    const screen = await openScreen();
    await move(100);
    const before = screen.heard.length;
    await finalize(therapist.id);
    await screen.next('TIMER_UPDATE', ({ contents }) => contents.stopsAtSeconds === null, before);
    const since = (await row())!.professionalSince;
    await move(1200);
    await finalize(therapist.id);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(18_300), stopsAtSeconds: null });
    expect(await usage()).toMatchObject({ plan: 'PROFESSIONAL', trialOver: false, fourHoursDue: false });
    const [, trial, professional, ...more] = await intervals();
    expect(more).toEqual([]);
    expect([trial!.plan, professional!.plan]).toEqual(['TRIAL', 'PROFESSIONAL']);
    expect(professional!.startedAt).toEqual(trial!.endedAt);
    expect(professional!.liveSessionId).toBe(trial!.liveSessionId);
    expect((await row())!.professionalSince).toEqual(since);
    expect(await t.app.usage.planOf(t.db, therapist.id)).toEqual({ plan: 'PROFESSIONAL', professionalSince: since });
    await screen.leave();
  });

  test('opens the room again after the trial; no email or dialog of the trial follows', async () => {
    const { therapist, open, used, move, timer, claim, mail, usage } = await aPractice();
    await used(14_000);
    await finalize(therapist.id);
    await open();
    await inRoom(t.app, therapist);
    await act(therapist.id);
    await move(2000);
    await mail();
    expect(await t.emails(therapist.email)).toEqual([]);
    expect(await claim()).toBe(false);
    expect(await usage()).toMatchObject({ fourHoursDue: false, trialOver: false });
    expect(await timer()).toMatchObject({ counterState: about(16_000) });
    const other = await aPractice();
    await other.used(18_000);
    await expect(other.open()).rejects.toEqual(problem('trial_over'));
    await finalize(other.therapist.id);
    await other.open();
    expect(await other.timer()).toMatchObject({ counting: true, counterState: about(18_000), stopsAtSeconds: null });
  });

  test('creates a missing row; a rollback undoes everything', async () => {
    const { therapist, row, timer, open, move } = await aPractice();
    await expect(
      t.db.transaction(async (tx) => {
        await t.app.usage.becomeProfessional(tx, therapist.id);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await row()).toBe(null);
    expect(await timer()).toMatchObject({ stopsAtSeconds: 18_000 });
    await finalize(therapist.id);
    expect(await row()).toMatchObject({ plan: 'PROFESSIONAL', professionalSince: expect.any(Date) });
    await open();
    await expect(
      t.db.transaction(async (tx) => {
        await t.app.usage.becomeProfessional(tx, therapist.id);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await move(10);
    expect(await timer()).toMatchObject({ counting: true, counterState: about(10), stopsAtSeconds: null });
  });

  test('bills whole seconds of professional use within the span; a running interval up to its limit', async () => {
    const { therapist, open, used, move, schedule, intervals } = await aPractice();
    await used(1000);
    await finalize(therapist.id);
    await open();
    await move(1000);
    await schedule(600);
    await t.move(100);
    const [, interval] = await intervals();
    const start = interval!.startedAt.getTime();
    const billed = async (fromS: number, untilS: number, therapistIds?: number[]) =>
      t.app.usage.billedSeconds(t.db, {
        from: new Date(start + fromS * 1000),
        until: new Date(start + untilS * 1000),
        ...(therapistIds && { therapistIds }),
      });
    const one = (seconds: unknown) => [{ therapistId: therapist.id, seconds }];
    expect(await billed(-5000, 100.9, [therapist.id])).toEqual(one(100));
    expect(await billed(50, 150)).toContainEqual(one(100)[0]);
    expect(await billed(0, 5000, [therapist.id])).toEqual(one(about(1100)));
    expect(await billed(-5000, 0, [therapist.id])).toEqual([]);
    expect(await billed(0, 0.9, [therapist.id])).toEqual([]);
    expect(await billed(0, 5000, [])).toEqual([]);
    await t.move(2000);
    expect(await billed(0, 9000, [therapist.id])).toEqual(one(about(1600)));
    await t.app.usage.settle();
    const [, ended] = await intervals();
    const whole = Math.floor((ended!.endedAt!.getTime() - start) / 1000);
    expect(await billed(0, 9000, [therapist.id])).toEqual(one(whole));
    expect(whole).toEqual(about(1600));
    // Two halves of a span never bill more than the whole.
    const halves = [await billed(0, 777.7, [therapist.id]), await billed(777.7, 9000, [therapist.id])];
    const sum = halves.flat().reduce((total, { seconds }) => total + seconds, 0);
    expect(whole - sum).toBeOneOf([0, 1]);
  });
});

describe('9 people helped and the overview', () => {
  test('a client counts once, whatever they do afterwards; one who only waits does not count', async () => {
    const { therapist, open, usage } = await aPractice();
    await open();
    expect((await usage()).peopleHelped).toBe(0);
    await aClient(t.app, therapist);
    expect((await usage()).peopleHelped).toBe(0);
    const client = await inRoom(t.app, therapist);
    expect((await usage()).peopleHelped).toBe(1);
    const params = { userId: client.id };
    await t.api(setNonActive, { params }, as(client));
    await t.api(setActive, { params }, as(client));
    expect((await usage()).peopleHelped).toBe(1);
    await t.app.clients.setAdmission(therapist.id, 'open');
    await inRoom(t.app, therapist);
    await t.app.sessions.end(therapist.id, 'ended');
    await inRoom(t.app, therapist);
    expect((await usage()).peopleHelped).toBe(3);
  });

  test('weeks begin on Monday in the therapist’s zone; usage over midnight counts in both', async () => {
    const therapist = await aTherapist(t.db, { timeZone: 'Pacific/Auckland' });
    const { usage } = usageOf(t, therapist);
    const { rows } = await t.db.execute<{ monday: string; began: string }>(sql`
      SELECT to_char(m, 'YYYY-MM-DD') AS monday, (m AT TIME ZONE 'Pacific/Auckland')::text AS began
      FROM (SELECT date_trunc('week', product_now() AT TIME ZONE 'Pacific/Auckland') - interval '2 weeks' AS m) w`);
    const { monday, began } = rows[0]!;
    await t.db.insert(usageIntervals).values({
      therapistId: therapist.id,
      plan: 'TRIAL',
      startedAt: sql`${began}::timestamptz - interval '600 seconds'`,
      endedAt: sql`${began}::timestamptz + interval '300 seconds'` as never,
    });
    await t.db.execute(sql`INSERT INTO usage_accounts (therapist_id, counted_ms) VALUES (${therapist.id}, 900000)`);
    const { weeks } = await usage();
    expect(weeks).toHaveLength(8);
    expect(weeks.map((week) => week.seconds)).toEqual([0, 0, 0, 0, 600, 300, 0, 0]);
    expect(weeks[5]!.monday).toBe(monday);
  });

  test('the running interval counts in the last week, up to its limit', async () => {
    const { open, schedule, usage } = await aPractice();
    await open();
    await schedule(120);
    await t.move(60);
    const { weeks } = await usage();
    expect(weeks.reduce((sum, { seconds }) => sum + seconds, 0)).toEqual(about(60));
    await t.move(600);
    expect((await usage()).weeks.reduce((sum, { seconds }) => sum + seconds, 0)).toEqual(about(120));
  });
});

describe('10 the operator’s job', () => {
  const job = () => t.app.usage.scheduled.find(({ type }) => type === 'STOP_FORGOTTEN_TIMERS')!;

  test('ends intervals without a live session, at its end, and those that should have stopped', async () => {
    const [forgotten, overdue, fine] = [await aPractice(), await aPractice(), await aPractice()];
    for (const { open } of [forgotten, overdue, fine]) await open();
    await overdue.schedule(60);
    await t.db.execute(
      sql`UPDATE live_sessions SET ended_at = product_now() + interval '100 seconds', end_reason = 'ended' WHERE therapist_id = ${forgotten.therapist.id}`,
    );
    await t.move(1000);
    expect((await job().run())['stopped']).toBeGreaterThanOrEqual(1);
    expect(await forgotten.timer()).toMatchObject({ counting: false, counterState: about(100) });
    expect(await overdue.timer()).toMatchObject({ counting: false, counterState: about(60) });
    expect(await fine.timer()).toMatchObject({ counting: true, counterState: about(1000) });
    expect(await job().run()).toEqual({ stopped: 0 });
  });
});
